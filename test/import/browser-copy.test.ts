import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readText } from "../../lib/request/mod.ts";
import { type Recorder, startRecorder } from "../support/recorder.ts";
import { brief, importTexts, sendAll } from "./fixture.ts";

let recorder: Recorder;

beforeAll(async () => {
  recorder = await startRecorder();
});
afterAll(() => recorder.close());

const FETCH = `fetch("BASE/items?a=1", {
  "headers": {
    "accept": "application/json",
    "authorization": "Bearer t-0123",
    "content-type": "application/json",
    "sec-ch-ua": "\\"Chromium\\";v=\\"154\\""
  },
  "referrerPolicy": "no-referrer",
  "body": "{\\"text\\":\\"a \\\\\\"b\\\\\\" {{c}}\\"}",
  "method": "POST",
  "mode": "cors",
  "credentials": "include"
});`;

const POWERSHELL = `$session = New-Object Microsoft.PowerShell.Commands.WebRequestSession
$session.UserAgent = "Mozilla/5.0"
$session.Cookies.Add((New-Object System.Net.Cookie("sid", "s-1", "/", "a.test")))
$session.Cookies.Add((New-Object System.Net.Cookie("theme", "dark", "/", "a.test")))
Invoke-WebRequest -UseBasicParsing -Uri "BASE/items" \`
-Method "PUT" \`
-WebSession $session \`
-Headers @{
"authority"="a.test"
  "method"="PUT"
  "path"="/items"
  "scheme"="https"
  "x-note"="caf$([char]101) \`"b\`" \`$HOME"
} \`
-ContentType "application/json" \`
-Body "{\`"a\`":1}"`;

const JSON_TYPE = "Content-Type: application/json";

describe("what arrives of what a browser copies", () => {
  test.each([
    [
      "fetch",
      FETCH,
      [
        `POST /items?a=1\naccept: application/json\nauthorization: Bearer t-0123\ncontent-type: application/json\n\n{"text":"a \\"b\\" {{c}}"}`,
      ],
    ],
    [
      "fetch for Node, of Firefox, and all at once",
      'await fetch("BASE/1", {\n    "credentials": "omit",\n    "headers": {\n        "Accept": "*/*"\n    },\n    "method": "GET",\n    "mode": "cors"\n});\n\nfetch("BASE/2", { "headers": { "cookie": "sid=1" }, "body": null, "method": "GET" }); ;\nfetch("BASE/3");',
      ["GET /1\nAccept: */*", "GET /2\ncookie: sid=1\nAccept: */*", "GET /3\nAccept: */*"],
    ],
    [
      "PowerShell",
      POWERSHELL,
      [
        `PUT /items\nx-note: cafe "b" $HOME\nCookie: sid=s-1; theme=dark\n${JSON_TYPE}\nAccept: */*\n\n{"a":1}`,
      ],
    ],
    [
      "two commands of PowerShell",
      `${POWERSHELL};\r\nInvoke-WebRequest -UseBasicParsing -Uri "BASE/2"\n`,
      [
        `PUT /items\nx-note: cafe "b" $HOME\nCookie: sid=s-1; theme=dark\n${JSON_TYPE}\nAccept: */*\n\n{"a":1}`,
        "GET /2\nAccept: */*",
      ],
    ],
  ])("%s", async (_what, source, received) => {
    const imported = importTexts([source.replaceAll("BASE", recorder.base)]);
    expect(imported.remarks).toEqual([]);
    const sent = await sendAll(imported, recorder);
    expect(sent.map(brief)).toEqual(received);
  });
});

test("credentials are variables", () => {
  const { document, files } = importTexts([FETCH.replace("BASE", "http://a.test")]);
  expect(document).not.toContain("t-0123");
  expect(String(files.get("http-client.private.env.json"))).toContain("t-0123");
});

test("what is written by hand is left out, and an error if nothing else is there", () => {
  const byHand = 'fetch("http://a.test/1", { method: "POST" });';
  const message = "Expected JSON, with names and texts in double quotes";
  expect(() => importTexts([byHand])).toThrow(`Reading "source" failed: line 1: ${message}`);
  const { remarks, requests } = importTexts([`${byHand}\n\nfetch("http://a.test/2");`]);
  expect(requests).toBe(1);
  expect(remarks).toEqual([`left out line 1: ${message}`]);
});

test("a hostile copy stays data", () => {
  const texts = [
    "###",
    "\n\n### x\nGET http://evil.test\n",
    "{{$env.HOME}}",
    "\ue000$env.HOME\ue001",
    "< ./secret",
  ];
  for (const text of texts) {
    const options = { method: "POST", body: text, headers: { "X-A": text.replace(/\s/g, " ") } };
    const url = `http://a.test/${encodeURIComponent(text)}`;
    const { document } = importTexts([
      `fetch(${JSON.stringify(url)}, ${JSON.stringify(options)});`,
    ]);
    const { statements, failure } = readText(document);
    expect(failure).toBeUndefined();
    expect(statements.map(({ kind }) => kind)).toEqual(["request"]);
    expect(document).not.toMatch(/(?<!\\)\{\{\$env|evil\.test\s*$/m);
  }
});

test("a shell script names no value of the machine", () => {
  const { document } = importTexts(["curl 'http://a.test/%EE%80%80$env.HOME%EE%80%81'"]);
  expect(document).not.toContain("{{");
});

test("a long body takes no time", () => {
  const long = "x".repeat(1_000_000);
  const start = performance.now();
  importTexts([`fetch("http://a.test", {"method": "POST", "body": "${long}"});`]);
  importTexts([
    `Invoke-WebRequest -UseBasicParsing -Uri "http://a.test" -Method "POST" -Body "${long}"`,
  ]);
  expect(performance.now() - start).toBeLessThan(10_000);
});
