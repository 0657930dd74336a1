import { describe, expect, test } from "vitest";
import {
  type CodeLanguage,
  createClient,
  parseCurl,
  toCode,
  toCurl,
  toHttp,
} from "../../lib/mod.ts";

const SECRET = "hush-hush-42";
const LANGUAGES: readonly CodeLanguage[] = ["curl", "fetch", "http"];

describe("a rendered request as code", () => {
  const WRITTEN: readonly (readonly [text: string, curl: string, http: string])[] = [
    ["GET http://api.test/users", "curl http://api.test/users", "GET http://api.test/users"],
    [
      'PUT http://api.test/users/7\nContent-Type: application/json\n\n{"name": "Ada"}',
      `curl http://api.test/users/7 \\\n  -X PUT \\\n  -H 'Content-Type: application/json' \\\n  --data-raw '{"name": "Ada"}'`,
      'PUT http://api.test/users/7\nContent-Type: application/json\n\n{"name": "Ada"}',
    ],
    [
      `GET http://api.test/?api_key=${SECRET}\nAuthorization: Bearer ${SECRET}`,
      "curl 'http://api.test/?api_key=•••' \\\n  -H 'Authorization: Bearer •••'",
      "GET http://api.test/?api_key=•••\nAuthorization: Bearer •••",
    ],
  ];

  test.each(WRITTEN)("%s", (text, curl, http) => {
    const request = createClient().render(text);
    expect([toCurl(request), toHttp(request)]).toEqual([curl, http]);
    expect(toCode(request, "fetch")).toContain(`fetch("${request.url.replace(SECRET, "•••")}"`);
  });

  test("has placeholders for the secrets of a client, and values if they are asked for", () => {
    const lab = createClient();
    lab.setVar("token", SECRET, { secret: true });
    const { secrets } = lab;
    const request = lab.render(
      'POST http://api.test/{{token}}\nX-Token: {{token}}\nAuthorization: Basic ada {{token}}\n\n{"password": "{{token}}"}',
    );
    for (const language of LANGUAGES) {
      expect(toCode(request, language)).not.toContain(SECRET);
      const masked = toCode(request, language, { secrets });
      expect(masked.match(/\{\{token\}\}/g), masked).toHaveLength(4);
      expect(masked).not.toContain(SECRET);
      const revealed = toCode(request, language, { reveal: true });
      expect(revealed.split(SECRET)).toHaveLength(4);
      expect(revealed).toContain(btoa(`ada:${SECRET}`));
    }
  });

  test("refuses a body that is a file, and another language", () => {
    const file = createClient().render("POST http://api.test/\n\n< ./body.json");
    expect(() => toCurl(file)).toThrow("its body is a file");
    const request = createClient().render("GET http://api.test/");
    expect(() => toCode(request, "crul" as "curl")).toThrow('did you mean "curl"?');
  });
});

describe("parseCurl", () => {
  test.each([
    ["curl api.test/users", { method: "GET", url: "http://api.test/users", headers: [] }],
    [
      "curl -d a=1 -d b=2 'http://api.test/{{id}}' --max-time 3 -k",
      {
        method: "POST",
        url: "http://api.test/{{id}}",
        headers: [["Content-Type", "application/x-www-form-urlencoded"]],
        body: "a=1&b=2",
      },
    ],
    [
      "$ curl \\\n  -T ./a.txt http://api.test/",
      { method: "PUT", url: "http://api.test/a.txt", headers: [], body: { file: "./a.txt" } },
    ],
    [
      "curl --digest -u ada:pw http://api.test/",
      {
        method: "GET",
        url: "http://api.test/",
        headers: [],
        auth: { type: "digest", username: "ada", password: "pw" },
      },
    ],
  ])("%s", (command, request) => {
    expect(parseCurl(command)).toEqual(request);
  });

  test("gives what a client sends, and what is written as a command again", async () => {
    const sent: Request[] = [];
    const lab = createClient({
      fetch: async (input, init) => {
        sent.push(new Request(input, init));
        return new Response("ok");
      },
    });
    const command = `curl http://api.test/users \\\n  -H 'X-Trace: 1' \\\n  -H 'Content-Type: text/plain' \\\n  --data-raw hello`;
    const exchange = await lab.send(parseCurl(command));
    expect(sent.map(({ method, url }) => [method, url])).toEqual([
      ["POST", "http://api.test/users"],
    ]);
    expect(toCurl(exchange.request)).toBe(command);
  });

  test.each([
    ["GET http://api.test/", "it is not one command of curl"],
    ["", "it is not one command of curl"],
    ["curl -F a=1 -F f=@f.txt http://api.test/", "client.send(command)"],
    ["curl --unknown http://api.test/", "--unknown"],
  ])("refuses %j", (command, message) => {
    expect(() => parseCurl(command)).toThrow(message);
  });
});
