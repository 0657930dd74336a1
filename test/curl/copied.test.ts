import http from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createClient, parseRequests, RequestSyntaxError, startsAsRequest } from "../../lib/mod.ts";
import { renderRequest } from "../../lib/request/mod.ts";

function read(text: string, variables: Readonly<Record<string, string>> = {}) {
  const drafts = parseRequests(text);
  return drafts.map((draft) => {
    const { method, url, headers, body } = renderRequest(draft, new Map(Object.entries(variables)));
    return { method, url, headers, body };
  });
}

function faultOf(text: string): string {
  try {
    parseRequests(text);
  } catch (error) {
    if (!(error instanceof RequestSyntaxError)) throw error;
    return error.faults.map(({ line, column, message }) => `${line}:${column} ${message}`).join();
  }
  return "";
}

/** What the menus write, with \n and quotes as they stand in the clipboard. */
const FETCHES: Readonly<Record<string, string>> = {
  "Chrome, GET": String.raw`fetch("https://a.test/x?a=%20b&c=d", {
  "headers": {
    "accept": "*/*",
    "sec-ch-ua": "\"Not)A;Brand\";v=\"8\"",
    "x-u": "\u00fc"
  },
  "referrer": "https://a.test/page",
  "referrerPolicy": "strict-origin-when-cross-origin",
  "body": null,
  "method": "GET",
  "mode": "cors",
  "credentials": "include"
});`,
  "Chrome, POST": String.raw`fetch("https://a.test/x", {
  "headers": {
    "content-type": "application/json"
  },
  "body": "{\"a\":\"it's )}; {\",\n\"b\":\"ü€😀\\\"\"}",
  "method": "POST",
  "mode": "cors",
  "credentials": "omit"
}); `,
  "Chrome for Node.js": String.raw`fetch("https://a.test/x", {
  "headers": {
    "cookie": "a=1; b=\"2\"",
    "Referer": "https://a.test/"
  },
  "body": "a=1&b=2",
  "method": "PUT"
}) ;`,
  Firefox: String.raw`await fetch("https://a.test/x", {
    "credentials": "include",
    "headers": {
        "User-Agent": "Mozilla/5.0 (X11)",
        "Content-Type": "text/plain"
    },
    "referrer": "https://a.test/",
    "body": "two\r\nlines\u0000",
    "method": "PATCH",
    "mode": "cors"
});`,
  Safari: `fetch("https://a.test/x", {
    "cache": "default",
    "credentials": "omit",
    "headers": {
        "Accept": "*/*"
    },
    "method": "DELETE",
    "mode": "cors",
    "redirect": "follow",
    "referrerPolicy": "no-referrer"
})`,
  "without options": `fetch("https://a.test/x")`,
};

const POWERSHELL =
  `$session = New-Object Microsoft.PowerShell.Commands.WebRequestSession
$session.UserAgent = "Mozilla/5.0 (Windows NT 10.0)"
$session.Cookies.Add((New-Object System.Net.Cookie("sid", "a` +
  "`$b" +
  `", "/", "a.test")))
$session.Cookies.Add((New-Object System.Net.Cookie("t", "2", "/", ".a.test")))
Invoke-WebRequest -UseBasicParsing -Uri "https://a.test/x?a=1&b=%20" ${"`"}
-Method "POST" ${"`"}
-WebSession $session ${"`"}
-Headers @{
"authority"="a.test"
  "method"="POST"
  "path"="/x?a=1&b=%20"
  "scheme"="https"
  "accept"="*/*"
  "sec-ch-ua"="${'`"Not)A;Brand`"'};v=${'`"8`"'}"
} ${"`"}
-ContentType "application/json" ${"`"}
-Body ([System.Text.Encoding]::UTF8.GetBytes("{${'`"a`"'}:$([char]10)${'`"'}$([char]252)$([char]55357)$([char]56832)${'`"'}}"))`;

const FIREFOX_POWERSHELL = `Invoke-WebRequest -UseBasicParsing -Uri "https://a.test/x" \`
-Method POST \`
-UserAgent "Mozilla/5.0 (X11)" \`
-Headers @{
"Accept" = "*/*"
  "X-A" = "1"
} \`
-Body "a=1"`;

describe("requests that browsers copy", () => {
  test("fetch", () => {
    const wanted: Readonly<Record<string, object>> = {
      "Chrome, GET": {
        method: "GET",
        url: "https://a.test/x?a=%20b&c=d",
        headers: [
          ["accept", "*/*"],
          ["sec-ch-ua", '"Not)A;Brand";v="8"'],
          ["x-u", "ü"],
          ["Referer", "https://a.test/page"],
        ],
        body: undefined,
      },
      "Chrome, POST": {
        method: "POST",
        headers: [["content-type", "application/json"]],
        body: '{"a":"it\'s )}; {",\n"b":"ü€😀\\""}',
      },
      "Chrome for Node.js": {
        method: "PUT",
        headers: [
          ["cookie", 'a=1; b="2"'],
          ["Referer", "https://a.test/"],
          ["Content-Type", "text/plain;charset=UTF-8"],
        ],
        body: "a=1&b=2",
      },
      Firefox: {
        method: "PATCH",
        headers: [
          ["User-Agent", "Mozilla/5.0 (X11)"],
          ["Content-Type", "text/plain"],
          ["Referer", "https://a.test/"],
        ],
        body: "two\r\nlines\0",
      },
      Safari: { method: "DELETE", headers: [["Accept", "*/*"]], body: undefined },
      "without options": { method: "GET", url: "https://a.test/x", headers: [] },
    };
    for (const [menu, text] of Object.entries(FETCHES)) {
      expect(read(text), menu).toMatchObject([wanted[menu]]);
      expect(read(text.replaceAll("\n", "\r\n")), menu).toMatchObject([wanted[menu]]);
      expect(startsAsRequest(text), menu).toBe(false);
      expect(startsAsRequest(`%%http\n${text}`), menu).toBe(true);
    }
    const all = Object.values(FETCHES);
    expect(read(all.join("\n")).map(({ method }) => method)).toEqual(
      all.map((text) => read(text)[0]?.method),
    );
  });

  test("Invoke-WebRequest", () => {
    const wanted = {
      method: "POST",
      url: "https://a.test/x?a=1&b=%20",
      headers: [
        ["accept", "*/*"],
        ["sec-ch-ua", '"Not)A;Brand";v="8"'],
        ["User-Agent", "Mozilla/5.0 (Windows NT 10.0)"],
        ["Cookie", "sid=a$b; t=2"],
        ["Content-Type", "application/json"],
      ],
      body: '{"a":\n"ü😀"}',
    };
    const own = {
      method: "POST",
      headers: [
        ["Accept", "*/*"],
        ["X-A", "1"],
        ["User-Agent", "Mozilla/5.0 (X11)"],
        ["Content-Type", "application/x-www-form-urlencoded"],
      ],
      body: "a=1",
    };
    for (const text of [POWERSHELL, POWERSHELL.replaceAll("\n", "\r\n"), `${POWERSHELL};`]) {
      expect(read(text)).toEqual([wanted]);
      expect(startsAsRequest(text)).toBe(true);
    }
    expect(read(FIREFOX_POWERSHELL)).toMatchObject([own]);
    expect(startsAsRequest(FIREFOX_POWERSHELL)).toBe(true);
    expect(read(`${POWERSHELL};\n${FIREFOX_POWERSHELL}\n\n###\nGET https://a.test`)).toMatchObject([
      wanted,
      own,
      { method: "GET" },
    ]);
    expect(read('Invoke-WebRequest -Uri "https://a.test/x"')).toMatchObject([
      { method: "GET", url: "https://a.test/x", headers: [] },
    ]);
  });

  test("placeholders, names, assertions and other requests around them", () => {
    const text = `# @name one\nfetch("{{base}}/a", {"body": "{{v}}", "method": "POST"});\n?? status == 200\n\n###\nGET {{base}}`;
    const drafts = parseRequests(text);
    expect(drafts[0]).toMatchObject({ name: "one", assertions: [{}], method: "POST" });
    expect(read(text, { base: "https://b.test", v: 'a"b' })).toMatchObject([
      { url: "https://b.test/a", body: 'a"b' },
      { url: "https://b.test" },
    ]);
  });

  test.each([
    ['fetch("https://a.test").then((it) => it.json())', "1:24 Expected the end of the command"],
    ["fetch('https://a.test')", "1:7 Expected a URL in double quotes"],
    ["await fetch(url)", "1:13 Expected a URL in double quotes"],
    ["fetch(`https://a.test`)", "1:7 Expected a URL in double quotes"],
    ['fetch("https://a.test", {method: "PUT"})', "1:25 Expected JSON, with names and texts"],
    ['fetch("https://a.test", {"method": "PUT"', "1:25 Expected JSON up to a closing brace"],
    ['fetch("https://a.test", options)', "1:23 Expected the options of fetch"],
    ['fetch("https://a.test", {"signal": 1})', '1:25 Expected no option "signal" of fetch'],
    ['fetch("https://a.test", {"body": {}})', '1:25 Expected a text as "body"'],
    ['fetch("https://a.test", {"headers": []})', '1:25 Expected an object as "headers"'],
    ['fetch("https://a.test", {"headers": {"a b": "1"}})', "1:25 Expected the name of a header"],
    ['fetch("https://a.test", {"redirect": "error"})', '1:25 Expected no option "redirect"'],
    ["Invoke-WebRequest -Uri $url", "1:24 Expected a text in double quotes"],
    ['Invoke-WebRequest -Uri "https://a.test/$x"', "1:24 Expected a text in double quotes"],
    ['Invoke-WebRequest -Method "GET"', "1:32 Expected -Uri with a URL"],
    ['Invoke-WebRequest -Uri "a.test" -OutFile "x"', "1:34 Expected no option -OutFile"],
    ['Invoke-WebRequest -Uri "a.test" | Out-Null', "1:32 Expected the end of the command"],
    [
      "$session = New-Object Microsoft.PowerShell.Commands.WebRequestSession\nGet-Item x",
      "2:1 Expected $session.UserAgent",
    ],
  ])("%s is a fault", (text, wanted) => {
    expect(faultOf(`${text}\n`)).toContain(wanted);
    const others = faultOf(`${text}\n\n###\nGET https://a.test\n`);
    expect(others).toContain(wanted);
    expect(others.split(" Expected ")).toHaveLength(2);
  });

  test.each([
    "fetch('x')",
    "await fetch(url)",
    "$session = 1",
    "$session.cookies",
    "Invoke - WebRequest",
    "InvokeWebRequest(1)",
  ])("%s is TypeScript", (text) => expect(startsAsRequest(text)).toBe(false));

  describe("sent", () => {
    const received: object[] = [];
    const server = http.createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const { method, url, headers } = request;
      const own = ["connection", "host", "accept-language", "accept-encoding", "sec-fetch-mode"];
      for (const name of [...own, "content-length", "referer"]) delete headers[name];
      if (/^(?:node|restlab\/.*)$/.test(headers["user-agent"] ?? "")) delete headers["user-agent"];
      received.push({ method, url, headers, body: Buffer.concat(chunks).toString("hex") });
      response.end("ok");
    });
    let base = "";
    beforeAll(async () => {
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    });
    afterAll(() => void server.close());

    test.each(Object.entries(FETCHES))("%s: the same as by fetch", async (_menu, written) => {
      const text = written
        .replaceAll("https://a.test", base)
        .replace('"x-u": "\\u00fc"', '"x-u": "u"');
      received.length = 0;
      await createClient().send(text);
      await new Function(`return (async () => { ${text} })()`)();
      await expect.poll(() => received).toHaveLength(2);
      expect(received[0]).toEqual(received[1]);
    });
  });
});
