import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Client, type ClientOptions, createClient } from "../../lib/mod.ts";
import { explore } from "../support/explore.ts";
import { startServers, type TestServers } from "../support/http-server.ts";

/** Files as their editors' documentation writes them, with answers that a loopback server gives. */
let servers: TestServers;
beforeAll(async () => {
  servers = await startServers();
});
afterAll(() => servers.close());

function open(options: ClientOptions = {}): Client {
  const lab = createClient(options);
  lab.setVar("server", servers.base);
  return lab;
}

function answering(value: unknown): string {
  const hex = Buffer.from(JSON.stringify(value)).toString("hex");
  return `{{server}}/body?type=application/json&hex=${hex}`;
}

function inFiles(texts: Readonly<Record<string, string>>): ClientOptions {
  return {
    readFile: async (path) => {
      const text = texts[path];
      if (text === undefined) throw Object.assign(new Error("absent"), { code: "ENOENT" });
      return new TextEncoder().encode(text);
    },
  };
}

/** What the server was asked for last. */
function asked(lab: Client): { method: string; url: string; headers: object; body: string } {
  return explore(lab.last.json);
}

describe("a file of VS Code's REST Client runs unchanged:", () => {
  test("file variables, request variables, percent-encoding, system variables", async () => {
    const lab = open({ processEnv: { USERNAME: "ada" }, ...inFiles({ ".env": "REGION=eu" }) });
    await lab.sendAll(`
@hostname = {{server}}
@name = Strunk & White
@contentType = application/json
@createdAt = {{$datetime iso8601}}
@modifiedBy = {{$processEnv USERNAME}}

###

# @name login
POST ${answering({ token: "t-1", items: [{ id: "i-9" }] })} HTTP/1.1
Content-Type: application/x-www-form-urlencoded

name=foo&password=bar

###

@authToken = {{login.response.body.$.token}}
@type = {{login.response.headers.content-type}}

# @name createComment
POST {{hostname}}/echo/{{%name}}/{{$dotenv REGION}} HTTP/1.1
Authorization: {{authToken}}
X-Type: {{type}}
Content-Type: {{contentType}}

{
    "content": "fake content",
    "created_at": "{{createdAt}}",
    "modified_by": "{{modifiedBy}}",
    "item": "{{login.response.body.items[0].id}}",
    "sent": "{{login.request.body.*}}",
    "number": {{$randomInt 5 6}},
    "at": "{{$localDatetime 'DD-MM-YYYY' 1 y}}",
    "guid": "{{$guid}}",
    "earlier": {{$timestamp -3 h}}
}
`);
    const { url, headers, body } = asked(lab);
    expect(url).toBe("/echo/Strunk%20%26%20White/eu");
    expect(headers).toMatchObject({ authorization: "t-1", "x-type": "application/json" });
    expect(JSON.parse(body)).toMatchObject({
      modified_by: "ada",
      item: "i-9",
      sent: "name=foo&password=bar",
      number: 5,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      at: expect.stringMatching(/^\d\d-\d\d-\d{4}$/),
      guid: expect.stringMatching(/^[\da-f-]{36}$/),
      earlier: expect.any(Number),
    });
  });

  test("prompt variables", async () => {
    const questions: unknown[] = [];
    const lab = open({
      ask: async (question) => {
        questions.push(question);
        return `<${question.name}>`;
      },
    });
    await lab.send(`
@username = overridden
###
# @prompt username
// @prompt refCode Your reference code display on webpage
# @prompt password
POST {{server}}/echo?{{refCode}} HTTP/1.1
Content-Type: application/json

{ "username": "{{username}}", "password": "{{password}}" }
`);
    expect(questions).toEqual([
      { name: "username", description: "username", secret: false },
      { name: "refCode", description: "Your reference code display on webpage", secret: false },
      { name: "password", description: "password", secret: true },
    ]);
    expect(JSON.parse(asked(lab).body)).toEqual({ username: "<username>", password: "<password>" });
    expect(lab.getVar("username")).toBe("overridden");
  });
});

describe("a file of JetBrains' HTTP client runs unchanged:", () => {
  test("environments with a private file, dynamic variables, in-place variables", async () => {
    const lab = open({
      processEnv: { HOME_NAME: "home" },
      ...inFiles({
        "http-client.env.json": `{
          "development": { "host": "{{server}}", "id-value": 12345, "username": "" },
          "production": { "host": "https://example.com" }
        }`,
        "http-client.private.env.json":
          '{ "development": { "username": "joe", "password": "pass-123" } }',
      }),
    });
    await lab.useEnv("development");
    await lab.send(`
// A request with environment variables
@myVariable = someValue

### GET request with a name
POST {{host}}/echo/{{id-value}}
    ?user={{username}}
    &home={{$env.HOME_NAME}}
Content-Type: application/json
X-Id: {{$uuid}} {{$random.uuid}}

{
  "time": {{$timestamp}},
  "iso": "{{$isoTimestamp}}",
  "price": {{$randomInt}},
  "age": {{$random.integer(18, 19)}},
  "score": {{$random.float(1.5, 2.5)}},
  "code": "{{$random.alphabetic(4)}}{{$random.alphanumeric(4)}}{{$random.hexadecimal(4)}}",
  "mail": "{{$random.email}}",
  "own": "{{myVariable}}", "pass": "{{password}}"
}

<> 2024-01-01.200.json
`);
    const { url, body } = asked(lab);
    expect(url).toBe("/echo/12345?user=joe&home=home");
    expect(JSON.parse(body)).toMatchObject({
      age: 18,
      own: "someValue",
      code: expect.stringMatching(/^[a-z]{4}\w{4}[\dA-F]{4}$/i),
      mail: expect.stringContaining("@"),
    });
    expect(String(lab.last)).not.toContain("pass-123");
  });
});

describe("a file of httpYac runs unchanged:", () => {
  test("references, responses by name, variables of .env, input", async () => {
    const lab = open({
      ask: async ({ description, defaultValue }) => defaultValue ?? description,
      ...inFiles({ ".env": "keycloak_user=doe\n", ".env.local": "stage=local" }),
    });
    await lab.useEnv("local");
    lab.define(`
# @name foo
GET ${answering({ foo: "bar", test: 1 })}

###
# @name child
# @ref foo
GET ${answering({ list: ["x"] })}
`);
    await lab.send(`
# @ref child
# @forceRef foo
POST {{server}}/echo?test={{foo.test}}&first={{child.list[0]}}&user={{keycloak_user}}&stage={{stage}}

foo={{foo.foo}} {{$input Your name $value: Ada}} {{$randomInt 3 4}}
`);
    expect(asked(lab)).toMatchObject({
      url: "/echo?test=1&first=x&user=doe&stage=local",
      body: "foo=bar Ada 3",
    });
    expect(lab.history.map(({ request }) => request.name)).toEqual([
      "foo",
      "child",
      "foo",
      undefined,
    ]);
  });
});
