import type { SentCase } from "./sent-case.ts";

const get = (...headers: readonly string[]): string => `GET {{server}}/a\n${headers.join("\n")}`;

const basic = (pair: string): string =>
  `Authorization: Basic ${Buffer.from(pair).toString("base64")}\r\n`;

/** `Authorization` by values of the user name and of the password. */
const ada = (written: string, u: string, p: string): Pick<SentCase, "text" | "values"> => ({
  text: get(`Authorization: ${written}`),
  values: { u, p },
});

/** Headers with a structure, which is read before anything is filled in, and headers that are not sent. */
export const HEADERS: readonly SentCase[] = [
  { ...ada("Basic {{u}} {{p}}", "ada lovelace", "pw"), sends: basic("ada lovelace:pw") },
  { ...ada("Basic {{u}} {{p}}", "ada", ""), sends: basic("ada:") },
  { ...ada("Basic {{u}} {{p}}", "", "pw"), sends: basic(":pw") },
  { ...ada("Basic {{u}} {{p}}", "ada", " p w "), sends: basic("ada: p w ") },
  { ...ada("Basic {{u}} {{p}}", "ada", "p:w"), sends: basic("ada:p:w") },
  { ...ada("Basic {{ u }}  {{ p }}", "a b", "c d"), sends: basic("a b:c d") },
  { ...ada("basic {{u}}:{{p}}", "ada lovelace", "p:w"), sends: basic("ada lovelace:p:w") },
  { ...ada("Basic {{u}}:{{p}}", "", ""), sends: basic(":") },
  { ...ada("Basic {{u}}x {{p}}y z", "a b", "c"), sends: basic("a bx:cy z") },
  { ...ada("Basic {{u}}", "ada:pw x", ""), sends: basic("ada:pw x") },
  { ...ada("Basic {{u}}", "YWRhOnB3", ""), sends: "Authorization: Basic YWRhOnB3\r\n" },
  { ...ada("{{u}}", "Basic ada pw", ""), sends: basic("ada:pw") },
  { ...ada("Bearer {{u}}", "a b", ""), sends: "Authorization: Bearer a b\r\n" },
  { text: get("Authorization: Basic YWRhOnB3"), sends: "Authorization: Basic YWRhOnB3\r\n" },
  {
    text: get("Authorization: Basic my user:mypass"),
    sends: basic("my:user:mypass"),
    says: ['The user name is "my", up to the first blank. Write a name with a blank as a variable'],
  },
  {
    text: get("Authorization: Basic admin:it's a total eclipse"),
    sends: basic("admin:it's a total eclipse"),
  },
  {
    ...ada("Basic {{u}} {{p}}", "ada:x", "pw"),
    says: ["The user name of basic credentials contains a colon; write none in it"],
  },
  {
    text: get("Authorization: Digest ada"),
    says: ["Cannot answer a digest challenge: the password is missing"],
  },
  { text: get("Authorization: AWS AKIA7"), says: ["the secret key is missing"] },
  {
    text: get("Authorization: AWS {{a}} {{s}} region:{{r}} service:s3"),
    values: { a: "AK IA", s: "sec ret", r: "eu 1" },
    sends: "Credential=AK IA/",
  },
  {
    text: get("Authorization: OAuth2 client_credentials shop"),
    says: ['Cannot get a token for "shop": there is no variable shop_clientId'],
  },
  {
    text: get("Authorization: OAuth2 magic"),
    says: ['Cannot use the OAuth 2 grant "magic"'],
  },
  {
    text: `POST {{server}}/a\nContent-Length: 9\n\nhey`,
    sends: "\r\nContent-Length: 3\r\n",
    says: ['The header "Content-Length: 9" is not sent: the body has 3 bytes'],
  },
  { text: `POST {{server}}/a\nContent-Length: 3\n\nhey`, sends: "\r\nContent-Length: 3\r\n" },
  ...["Connection: close", "Keep-Alive: 5", "Transfer-Encoding: chunked", "Upgrade: h2c"].map(
    (header): SentCase => ({
      text: get(header),
      sends: "GET /a HTTP",
      says: [`The header "${header}" is not sent: the connection is managed by the runtime`],
    }),
  ),
  {
    text: `POST {{server}}/a\nTrailer: X-A\n\nhey`,
    sends: "\r\nContent-Length: 3\r\n",
    says: ['The header "Trailer: X-A" is not sent: requests are sent without trailers'],
  },
  { text: get("Host: other.test"), sends: "Host: other.test\r\n" },
  {
    text: get("Content-Type: a/b", "Content-Type: a/c"),
    sends: "Content-Type: a/b\r\nContent-Type: a/c\r\n",
    says: ['The header "Content-Type" is written twice. A request may have it only once'],
  },
  {
    text: get("X-A: 1", "x-a: 2", "X-B: 3", "X-A: 1, 2", "Cookie: a=1", "Cookie: b=2"),
    sends: "X-A: 1\r\nx-a: 2\r\nX-B: 3\r\nX-A: 1, 2\r\nCookie: a=1\r\nCookie: b=2\r\n",
  },
  {
    text: get("X-A: {{x}}"),
    values: { x: "a\u0001b" },
    says: ["its value contains the control character U+0001"],
  },
  {
    text: get("X-A: {{x}}"),
    values: { x: "a\nb" },
    says: ["its value contains a line feed. It would end the header"],
  },
  {
    text: get("X-Filter: {{filter}}"),
    values: { filter: { a: [1, 2], b: "c" } },
    sends: 'X-Filter: {"a":[1,2],"b":"c"}\r\n',
  },
  ...["TRACE", "CONNECT"].map(
    (method): SentCase => ({
      text: `${method} {{server}}/a`,
      says: [`Cannot send the method "${method}": fetch forbids CONNECT, TRACE and TRACK`],
    }),
  ),
  { text: get("Acept: a/b"), sends: "Acept: a/b", says: ["probably misspelt"] },

  // Methods and names that are values.
  ...(
    [
      ["{{m}} {{server}}/a", "PATCH", "PATCH /a HTTP/1.1\r\n"],
      ["{{ m }} {{server}}/a HTTP/1.1", "delete", "DELETE /a HTTP/1.1\r\n"],
      ["{{m}} {{server}}/a", "M-OWN", "M-OWN /a HTTP/1.1\r\n"],
      ["{{m}} {{server}}/a\n\n{ a(id: 1) { b } }", "graphql", '"query": "{ a(id: 1) { b } }"'],
      [get("{{m}}: 5"), "X-Own", "X-Own: 5\r\n"],
      [get("X-{{m}}-Z : a:b"), "Y", "X-Y-Z: a:b\r\n"],
      [get("{{m}}-{{m}}: {{m}}"), "Own", "Own-Own: Own\r\n"],
      [get("{{m}}: text/csv"), "Accept", "Accept: text/csv\r\n"],
      [get("{{m}}"), "X-Own: 5", "X-Own: 5\r\n"],
    ] as const
  ).map(([text, m, sends]): SentCase => ({ text, values: { m }, sends })),
  ...(
    [
      ["{{m}} {{server}}/a", "", 'Cannot use the value of a placeholder as method: ""'],
      ["{{m}} {{server}}/a", "GET /b", "A method is a word such as GET or POST"],
      ["{{m}} {{server}}/a", "GET\r\nX: 1", "Cannot use the value of a placeholder as method"],
      ["{{m}} {{server}}/a", "trace", "fetch forbids CONNECT, TRACE and TRACK"],
      [get("{{m}}: 5"), "", 'the header line "{{m}}: 5": its name is not one of a header'],
      [get("{{m}}: 5"), "X: 1", "A name has letters, digits and - _ . alone"],
      [get("{{m}}: 5"), "a b", "its name is not one of a header"],
      [get("{{m}}: 5"), "X: 1\r\nY", "its name is not one of a header"],
    ] as const
  ).map(([text, m, says]): SentCase => ({ text, values: { m }, says: [says] })),
];
