import type { SentCase } from "./sent-case.ts";

const get = (target: string): string => `GET {{server}}${target}`;

/** URLs of which a part is not sent, or not as it is written. */
export const URLS: readonly SentCase[] = [
  {
    text: get("/s?q={{x}}&n=1"),
    values: { x: "C#" },
    sends: "GET /s?q=C HTTP",
    says: [
      'The value of {{x}} contains "#": "#&n=1" is a fragment of the URL, which is not sent. Write {{%x}} to percent-encode the value',
    ],
  },
  {
    text: get("/orders/{{order.id}}/items"),
    values: { order: { id: "#1001.1" } },
    sends: "GET /orders/ HTTP",
    says: ['The value of {{order.id}} contains "#": "#1001.1/items" is a fragment'],
  },
  { text: get("/s?q={{%x}}&n=1"), values: { x: "C#" }, sends: "GET /s?q=C%23&n=1 HTTP" },
  ...(
    [
      ["{{%$datetime rfc1123}}", "Wed%2C%2031%20Jan%202024%2023%3A05%3A09%20GMT"],
      ["{{%$isoTimestamp}}", "2024-01-31T23%3A05%3A09.042Z"],
      ["{{%$.list..id}}", "a%26b"],
      ["{{%list.$[1].id}}", "c%20d"],
      ['{{ %list[0]["id"] }}', "a%26b"],
      ["{{%$processEnv %name}}", "x%20%26%20y"],
      ["{{%$processEnv CASE_VALUE}}", "x%20%26%20y"],
      ["{{%$env.CASE_VALUE}}", "x%20%26%20y"],
      ["{{%$dotenv PW}}", "p%23%20w"],
      ["{{%?Your name}}", "Ada%20%26%20co"],
      ["{{%$input Your name}}", "Ada%20%26%20co"],
      ["{{%line}}", "C%23"],
      ["{{%list}}", "%5B%7B%22id%22%3A%22a%26b%22%7D%2C%7B%22id%22%3A%22c%20d%22%7D%5D"],
    ] as const
  ).map(
    ([placeholder, sent]): SentCase => ({
      text: `@line = C#\n${get(`/s?q=${placeholder}&n=1`)}`,
      values: { list: [{ id: "a&b" }, { id: "c d" }], name: "CASE_VALUE" },
      files: { ".env": 'PW="p# w"' },
      sends: `GET /s?q=${sent}&n=1 HTTP`,
    }),
  ),
  {
    text: `@one = {{%$isoTimestamp}}\n@two = {{%c}}\n${get("/{{one}}/{{two}}")}`,
    values: { c: "#" },
    sends: "GET /2024-01-31T23%3A05%3A09.042Z/%23 HTTP",
  },
  {
    text: `curl -G {{server}}/s --data-urlencode 'q={{$isoTimestamp}}'`,
    sends: "GET /s?q=2024-01-31T23%3A05%3A09.042Z HTTP",
  },
  { text: get("/s?q=C%23&n=1"), sends: "GET /s?q=C%23&n=1 HTTP" },
  { text: get("/page#top"), sends: "GET /page HTTP" },
  { text: get("/page#top{{x}}"), values: { x: "#" }, sends: "GET /page HTTP" },
  {
    text: get("/s?q=C#&n=1"),
    sends: "GET /s?q=C HTTP",
    says: ['"#&n=1" is a fragment of the URL, which is not sent. Write %23 to send a #'],
  },
  {
    text: get("/s#frag?q=1"),
    sends: "GET /s HTTP",
    says: ['"#frag?q=1" is a fragment of the URL'],
  },
  {
    text: get("/s\n  ?q={{x}}\n  &n=1"),
    values: { x: "a#b" },
    sends: "GET /s?q=a HTTP",
    says: ['The value of {{x}} contains "#": "#b&n=1" is a fragment'],
  },
  ...(
    [
      ["/a{{x}}b", "\t", "/a%09b"],
      ["/{{x}}/z?q={{x}}&n=1", "a\r\nb", "/a%0D%0Ab/z?q=a%0D%0Ab&n=1"],
      ["/s?q={{x}}", "x \t\n", "/s?q=x%20%09%0A"],
      ["/s?q={{x}}", " x", "/s?q=%20x"],
      ["/{{x}}", " x ", "/%20x%20"],
      ["{{x}}", "/a/b\0 ", "/a/b%00%20"],
      ["/s?q={{%x}}", "x \n", "/s?q=x%20%0A"],
      ["/s?q={{x}}#top", "x ", "/s?q=x%20"],
      ["/s\n  ?q={{x}}\n  &r={{x}}", "a\tb ", "/s?q=a%09b%20&r=a%09b%20"],
      ["/s?o={{x}}", { a: "b\n " }, "/s?o={%22a%22:%22b\\n%20%22}"],
    ] as const
  ).map(
    ([target, x, sent]): SentCase => ({
      text: get(target),
      values: { x },
      sends: `GET ${sent} HTTP`,
    }),
  ),
  { text: "GET {{x}}{{server}}/a", values: { x: " \n" }, sends: "GET /a HTTP" },
  { text: get("/s?a=1\t&b=2"), sends: "GET /s?a=1%09&b=2 HTTP" },
  {
    text: get("/{{:id}}/{{}}"),
    sends: "GET /%7B%7B:id%7D%7D/%7B%7B%7D%7D HTTP",
    says: ['"{{:id}}" is sent as it is written', '"{{}}" is sent as it is written'],
  },
  {
    text: get("/?a={{% x }}{{% $isoTimestamp}}"),
    values: { x: 1 },
    sends: "GET /?a={{%%20x%20}}{{%%20$isoTimestamp}} HTTP",
    says: ['"{{% x }}" is sent as it is written', '"{{% $isoTimestamp}}" is sent as it is written'],
  },
];
