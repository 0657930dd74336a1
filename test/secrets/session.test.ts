import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Outcome, Shown } from "../../kernel/session/cell/mod.ts";
import { createMaskedSink } from "../../kernel/session/masked-sink.ts";
import { createSession, type Session } from "../../kernel/session/mod.ts";
import { renderBundle } from "../../lib/mod.ts";
import { makeFolder } from "../support/folders.ts";
import { spellingsOf } from "./spellings.ts";

const SECRET = 'Sess+5ecret/"key" é';
let session: Session;

interface Run {
  readonly outcome: Outcome;
  readonly streams: string;
  readonly shown: readonly Shown[];
}

async function run(code: string): Promise<Run> {
  let streams = "";
  const shown: Shown[] = [];
  const outcome = await session.execute(code, {
    stream: (_, text) => {
      streams += text;
    },
    display: (one) => shown.push(one),
  });
  return { outcome, streams, shown };
}

beforeAll(async () => {
  const directory = makeFolder("secrets");
  session = await createSession({ platform: { directory } });
  session.client.setVar("mine", SECRET, { secret: true });
});
afterAll(() => session.close());

/** Everything that a front end gets of an outcome. */
function textOf({ outcome, streams, shown }: Run): string {
  const results = outcome.status === "ok" && outcome.result ? [outcome.result, ...shown] : shown;
  const bundles = results.map((one) => Object.values(one.bundle()));
  const failure =
    outcome.status === "error"
      ? [outcome.error.name, outcome.error.message, ...outcome.error.traceback]
      : [];
  return [
    streams,
    ...failure,
    ...bundles.flat().map((one) => (typeof one === "string" ? one : JSON.stringify(one))),
  ].join("\n");
}

describe("no channel of a cell holds a secret", () => {
  test.each([
    ["a result", 'client.getVar("mine")'],
    [
      "a result inside an object",
      '({ a: [{ b: client.getVar("mine") }], [client.getVar("mine")]: 1 })',
    ],
    ["a table", 'Array.from({ length: 3 }, (_, id) => ({ id, text: client.getVar("mine") }))'],
    ["a map and a set", 'new Map([[client.getVar("mine"), new Set([client.getVar("mine")])]])'],
    [
      "a value that shows itself",
      '({ [Symbol.for("Jupyter.display")]: () => ({ "text/plain": client.getVar("mine"), "text/html": "<b>" + client.getVar("mine") + "</b>", "application/json": { a: client.getVar("mine") } }) })',
    ],
    ["printed text", 'console.log(client.getVar("mine")); console.error(client.getVar("mine"))'],
    ["text in pieces", 'for (const one of client.getVar("mine")) process.stdout.write(one);'],
    ["an error", 'throw new TypeError(client.getVar("mine"))'],
    ["a cause", 'throw new Error("x", { cause: new Error(client.getVar("mine")) })'],
    ["what is no error", 'throw { text: client.getVar("mine") }'],
    [
      "an error that nobody catches",
      'setTimeout(() => { throw new Error(client.getVar("mine")); }, 1); await new Promise((done) => setTimeout(done, 30));',
    ],
    [
      "a request that gets no answer",
      "GET http://127.0.0.1:1/{{mine}}?k={{mine}}\nX-Key: {{mine}}",
    ],
    [
      "a preview",
      'client.render("POST http://h/?k={{mine}}\\nX-Key: {{mine}}\\n\\n{\\"a\\": \\"{{mine}}\\"}")',
    ],
  ])("%s", async (_, code) => {
    const text = textOf(await run(code));
    for (const spelling of spellingsOf(SECRET)) expect(text).not.toContain(spelling);
    expect(text).toContain("{{mine}}");
  });

  test.each([
    "long",
    "[long, { auth: { deep: [long] } }]",
    "display(long)",
    "display.json(long)",
    "console.log(long)",
    "console.log(JSON.stringify(long))",
  ])("a value below a secret name, too long to be searched for: %s", async (code) => {
    const before = 'const long = { note: "kept", token: "Ab1-".repeat(5_000) };\n';
    const text = textOf(await run(before + code));
    expect(text).toContain("kept");
    expect(text).toContain("•••");
    expect(text).not.toContain("Ab1-Ab1-");
  });

  test.each(["new TextEncoder().encode(mine)", "Buffer.from(mine)"])(
    "its bytes: %s",
    async (code) => {
      const before = 'const mine = client.getVar("mine") as string;\n';
      const text = textOf(await run(before + code)).replace(/<[^>]*>/g, " ");
      expect(text).toMatch(/\{\{mine\}\}|•••/);
      expect(text).not.toMatch(/(?:115\D{1,9}115|73 73)/);
    },
  );

  test("what was held back goes out before a value that is shown after it", () => {
    const order: string[] = [];
    const sink = createMaskedSink(
      { stream: (_, text) => order.push(text), display: () => order.push("[a value]") },
      session.client.secrets,
    );
    sink.stream("stdout", "name: Se");
    sink.display({ value: 1, metadata: {}, bundle: () => ({ "text/plain": "1" }) });
    sink.stream("stdout", "at");
    sink.end();
    expect(order.join("")).toBe("name: Se[a value]at");
  });

  test("completions and inspections", async () => {
    const found = [
      await session.complete("GET {{mi", 8),
      await session.inspect("GET {{mine}}", 8),
      await session.complete("GET {{", 6),
    ];
    for (const spelling of spellingsOf(SECRET)) {
      expect(JSON.stringify(found)).not.toContain(spelling);
    }
  });

  test("the carets of an error still stand below what they mean", async () => {
    const code = "GET http://h/?token=Abcdef-123456&y={{nobody}}";
    const { outcome } = await run(code);
    const lines = outcome.status === "error" ? outcome.error.traceback : [];
    const drawn = lines.find((line) => line.includes("│ GET")) ?? "";
    const carets = lines.find((line) => line.includes("^")) ?? "";
    expect(drawn).toContain("?token=•••&y={{nobody}}");
    expect(drawn.indexOf("{{nobody}}")).toBe(carets.indexOf("^"));
    expect(drawn.lastIndexOf("}")).toBe(carets.lastIndexOf("^"));
  });
});

describe("reveal", () => {
  test("shows one value with its secrets, marks it, and changes nothing else", async () => {
    const { outcome } = await run('client.reveal({ text: client.getVar("mine") })');
    const result = outcome.status === "ok" ? outcome.result : undefined;
    const bundle = result?.bundle();
    expect(JSON.stringify(bundle?.["text/html"])).toContain("Sess+5ecret");
    expect(bundle?.["text/plain"]).toContain("This output contains secrets");
    expect(bundle?.["text/html"]).toContain("This output contains secrets");
    expect(result?.metadata).toEqual({ restlab: { holds_secrets: true } });
    const next = await run('({ text: client.getVar("mine") })');
    expect(textOf(next)).not.toContain("5ecret");
    expect(next.outcome.status === "ok" && next.outcome.result?.metadata).toEqual({});
  });

  test("without a session it does the same", () => {
    const secrets = [session.client.secrets];
    const shown = renderBundle(session.client.reveal(SECRET), { secrets })["text/plain"];
    expect(shown).toContain(SECRET);
    expect(renderBundle(SECRET, { secrets })["text/plain"]).toBe("{{mine}}");
  });
});
