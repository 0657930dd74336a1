import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import type { Outcome } from "../../kernel/session/cell/mod.ts";
import { createSession, kindOfCell } from "../../kernel/session/mod.ts";
import { parseTemplate } from "../../lib/interpolation/mod.ts";
import { type CheckFault, createClient, readText } from "../../lib/mod.ts";

const FAULTY: readonly string[] = [
  "GET {{base}}/{{nobody}}",
  "GET {{base}}/{{nobody}}\nX-A: {{base.x}}\nX-B: {{lines}}",
  "# @name one\nGET {{base}}/{{nobody}}",
  "GET {{empty}}",
  "GET http:/a.test",
  "GET http:",
  "GET http//a.test/",
  "GET ht!tp://a.test/",
  "GET ://a.test/",
  "GET 1http://a.test/",
  "GET htp://a.test/",
  "GET ftp://a.test/",
  "GET http://a:99999/",
  "GET {{base}}\nX-A: {{lines}}",
  "GET {{base}}/x?q={{nobody}}#{{one.two}}",
  "GTE {{base}}",
  "GET {{base}}/{{a b}}",
];

let sent = 0;
const client = createClient({
  fetch: () => {
    sent += 1;
    return Promise.resolve(new Response("ok"));
  },
});
client.setVar("base", "http://a.test");
client.setVar("empty", "");
client.setVar("lines", "a\nb");
const session = await createSession({ client, platform: { directory: "." } });
afterAll(() => session.close());

/** Runs a cell, whose request gets nowhere. */
async function run(
  text: string,
): Promise<{ outcome: Outcome; sent: number; errors: readonly CheckFault[] }> {
  sent = 0;
  const errors = client.check(text).filter(({ severity }) => severity === "error");
  const sink = { stream: () => undefined, display: () => undefined };
  // What is broken enough would be taken for code.
  const outcome = await session.execute(`%%http\n${text}`, sink);
  return { outcome, sent, errors };
}

describe("a request is checked before it is sent", () => {
  test.each(FAULTY)("%j reports all its errors, and nothing is sent", async (text) => {
    const { outcome, errors } = await run(text);
    expect(errors).not.toEqual([]);
    expect(outcome.status).toBe("error");
    const said = outcome.status === "error" ? outcome.error.traceback.join("\n") : "";
    for (const { message } of errors) expect(said).toContain(message);
    expect(sent).toBe(0);
  });

  test("a warning does not prevent sending", async () => {
    const { outcome, errors } = await run("GET {{base}}\nAccept: a/b\nX: 1\nX: 1");
    expect([outcome.status, sent, errors]).toEqual(["ok", 1, []]);
  });

  test("a parsed text is checked and sent as it was written", async () => {
    const text = readText("# @name one\nGET {{base}}/a\n\n###\nGET {{nobody}}", 3);
    expect(client.check(text)).toEqual(client.check(text.source, { firstLine: 3 }));
    await expect(client.sendAll(text)).rejects.toThrow("line 7");
    await expect(client.sendAll(readText("POST {{base}}\nno header"))).rejects.toThrow("line 2");
    expect(await client.sendAll(readText("GET {{base}}/a"))).toHaveLength(1);
    session.settings.headers.set("X-B", parseTemplate("{{base}}"));
    const [{ request } = {}] = await session.client.sendAll(readText("GET {{base}}/a"));
    session.settings.headers.clear();
    expect(request?.headers).toContainEqual(["X-B", "http://a.test"]);
  });

  test("a cell whose kind is known runs like its text", async () => {
    sent = 0;
    const sink = { stream: () => undefined, display: () => undefined };
    const cell = kindOfCell("%strict off\nGET {{base}}/a");
    expect((await session.execute(cell, sink)).status).toBe("ok");
    const parsed = readText("GET {{base}}/a");
    const typed = { kind: "request", source: parsed.source, text: parsed.source, parsed } as const;
    expect((await session.execute(typed, sink)).status).toBe("ok");
    expect(sent).toBe(2);
    const unknown = await session.execute(kindOfCell("%%what"), sink);
    expect(unknown).toMatchObject({ error: { name: "UnknownMagicError" } });
  });

  test("a text is sent unless a check reports an error", async () => {
    const pieces = fc.constantFrom(
      ...[
        "http:",
        "https:",
        "/",
        "//",
        "a",
        "a.test",
        ":",
        "99999",
        "@",
        "?",
        "#",
        "&x=1",
        "[::1]",
      ],
      ...[
        "{{base}}",
        "{{lines}}",
        "{{empty}}",
        "{{nobody}}",
        "\\{{",
        "%",
        "%zz",
        "ftp:",
        "ws:",
        "é",
      ],
      ...["\nHost: b.test", "\nX-A: {{lines}}", "\nX-B: {{base}}", "\nX-A:", "\n# @name n"],
    );
    await fc.assert(
      fc.asyncProperty(fc.array(pieces, { minLength: 1, maxLength: 6 }), async (parts) => {
        const { outcome, errors } = await run(`GET ${parts.join("")}`);
        if (errors.length > 0) expect([outcome.status, sent]).toEqual(["error", 0]);
        else expect(outcome.status === "ok" ? sent : 0).toBe(sent);
      }),
      { numRuns: 1500 },
    );
  });

  test("an interrupt while the environment is loaded prevents sending", async () => {
    let received = 0;
    const server = createServer((_request, response) => {
      received += 1;
      response.end("ok");
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    let isAsked = (): void => undefined;
    const asked = new Promise<void>((resolve) => {
      isAsked = resolve;
    });
    let goOn = (): void => undefined;
    const gate = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const readFile = async (): Promise<Uint8Array> => {
      isAsked();
      await gate;
      throw Object.assign(new Error("no such file"), { code: "ENOENT" });
    };
    const waiting = await createSession({ platform: { directory: ".", readFile } });
    try {
      const sink = { stream: () => undefined, display: () => undefined };
      const running = waiting.execute(`GET http://127.0.0.1:${port}/`, sink);
      await asked;
      waiting.interrupt();
      goOn();
      expect([(await running).status, received]).toEqual(["error", 0]);
    } finally {
      await waiting.close();
      server.close();
    }
  });
});
