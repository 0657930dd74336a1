import { readFileSync, writeFileSync } from "node:fs";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type RuntimeName, restlab } from "../support/command.ts";
import { makeFolder } from "../support/folders.ts";
import { RUNTIME } from "../support/runtime.ts";
import { notebook } from "./notebook.ts";

const COLUMNS = 130_000;
const MEBIBYTE = Buffer.alloc(1_048_576, "x");

const wide = (separator: string): string =>
  `${Array.from({ length: COLUMNS }, (_, at) => `c${at}`).join(separator)}\n` +
  `${Array.from({ length: COLUMNS }, () => "1").join(separator)}\n`;

const ANSWERS: Readonly<Record<string, readonly [mediaType: string, body: string | number]>> = {
  "/csv": ["text/csv", wide(",")],
  "/tsv": ["text/tab-separated-values", wide("\t")],
  // Of the last two so many MiB come, in one event and in one line.
  "/event": ["text/event-stream", 65],
  "/line": ["application/x-ndjson", 65],
};

/** How many columns are shown differs between the forms. */
const WIDE = " more columns not shown";
const LONG = "1 event has more than 1,048,576 characters";

/** What each answer shows, whatever shows it. */
const SHOWN = [
  ["/csv", WIDE],
  ["/tsv", WIDE],
  ["/event", LONG],
  ["/line", "1 line cannot be parsed as JSON"],
] as const;

/** Bodies of one token that is as long as what is shown of them. */
const LONG_TOKENS: Readonly<Record<string, readonly [mediaType: string, body: string]>> = {
  "/characters": ["text/plain", "x".repeat(5e6)],
  "/marks": ["text/plain", "\u0301".repeat(5e6)],
  "/word": ["application/json", "x".repeat(5e6)],
  "/blanks": ["application/json", `[1,${" ".repeat(5e6)}`],
  "/string": ["application/json", `["${"x".repeat(5e6)}`],
  "/element": ["application/xml", `<${"x".repeat(5e6)}`],
  "/tag": ["application/xml", `<a ${" ".repeat(5e6)}`],
  "/attribute": ["text/html", `<a b=${"x".repeat(5e6)}`],
  "/content": ["text/html", `<a>${"x".repeat(5e6)}`],
  "/entity": ["text/html", `<a>&${"x".repeat(5e6)}`],
};

/** What V8 does with new expressions once a process has compiled many: each round of a loop takes room on a stack. */
const NOT_OPTIMISED: Readonly<Record<RuntimeName, readonly string[]>> = {
  node: ["--no-regexp-optimization"],
  deno: ["--v8-flags=--no-regexp-optimization"],
  bun: [],
};

/** Values that throw when a front end looks at them, or that no notebook can hold. */
const UNSHOWN = {
  inspect:
    '({ [Symbol.for("nodejs.util.inspect.custom")]() { throw new Error("not to be seen") }, [Symbol.for("Deno.customInspect")]() { throw new Error("not to be seen") } })',
  cycle:
    'const a: any = {}; a.a = a; ({ [Symbol.for("Jupyter.display")]: () => ({ "text/plain": "x", "application/json": a }) })',
  deep: 'let b: any = {}; for (let i = 0; i < 100000; i++) b = { b }; ({ [Symbol.for("Jupyter.display")]: () => ({ "text/plain": "x", "application/json": b }) })',
  toJSON:
    '({ [Symbol.for("Jupyter.display")]: () => ({ "text/plain": "x", "application/json": { toJSON() { throw new Error("not to be seen") } } }) })',
};

function answer(url: string, response: ServerResponse): void {
  const [type, body] = ANSWERS[url] ?? LONG_TOKENS[url] ?? ["text/plain", "?"];
  response.writeHead(200, { "Content-Type": type });
  if (typeof body === "string") return void response.end(body);
  let left = body;
  const go = (): void => {
    while (left-- > 0) if (!response.write(MEBIBYTE)) return void response.once("drain", go);
    response.end("\n\n");
  };
  if (url === "/event") response.write("data: ");
  go();
}

/** What holds of answers and values that are hard to show, on one runtime. */
function describeHardAnswers(runtime: RuntimeName): void {
  describe(`unusual answers on ${runtime}`, () => {
    let server: Server;
    let base = "";
    beforeAll(async () => {
      server = createServer((request, response) => answer(request.url ?? "", response));
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    });
    afterAll(() => void server.close());

    test("no answer ends a run, and the notebook has all of them", async () => {
      const folder = makeFolder("hard");
      const [first, ...others] = SHOWN.map(([path]) => `GET ${base}${path}`);
      const cells = [first ?? "", "client.table(client.last)", ...others];
      writeFileSync(join(folder, "hard.ipynb"), notebook(...cells));
      const { status, stdout, stderr } = await restlab(
        runtime,
        ["run", "-k", "-o", "out.ipynb", "hard.ipynb"],
        { cwd: folder },
      );
      expect(stderr).toBe("hard.ipynb: 5 cells run\n");
      expect(status).toBe(0);
      const written = JSON.parse(readFileSync(join(folder, "out.ipynb"), "utf8"));
      for (const [index, shown] of [WIDE, ...SHOWN.map(([, it]) => it)].entries()) {
        expect(stdout).toContain(shown);
        const [{ data }] = written.cells[index].outputs;
        for (const type of ["text/plain", "text/html", "text/markdown"]) {
          expect(data[type].join(""), `cell ${index}, ${type}`).toContain(
            shown.replace(/^[\d,]+ /, ""),
          );
        }
      }
    });

    test.each(SHOWN)("-e shows %s", async (path, shown) => {
      const { status, stdout, stderr } = await restlab(runtime, ["-e", `GET ${base}${path}`]);
      expect([status, stderr]).toEqual([0, ""]);
      expect(stdout).toContain(shown);
    });

    test("a long token is shown by a process that has compiled much", async () => {
      const requests = Object.keys(LONG_TOKENS).map((path) => `GET ${base}${path}`);
      const { status, stdout, stderr } = await restlab(
        runtime,
        ["-e", requests.join("\n\n###\n\n")],
        {
          runtimeOptions: NOT_OPTIMISED[runtime],
        },
      );
      expect(stderr).not.toContain("could not be shown");
      expect(status).toBe(0);
      for (const request of requests) expect(stdout).toContain(`200 OK · Successful · ${request} `);
    });

    test("an output that fails is one line, and the notebook is written", async () => {
      const folder = makeFolder("unshown");
      const cells = [...Object.values(UNSHOWN), '"the last one"'];
      writeFileSync(join(folder, "unshown.ipynb"), notebook(...cells));
      const { status, stderr } = await restlab(
        runtime,
        ["run", "-k", "-o", "out.ipynb", "unshown.ipynb"],
        { cwd: folder },
      );
      const lines = stderr.trimEnd().split("\n");
      expect(lines.slice(0, -1)).toHaveLength(Object.keys(UNSHOWN).length);
      for (const line of lines.slice(0, -1)) {
        expect(line).toMatch(/^OutputError: An output could not be shown: /);
      }
      expect(lines.at(-1)).toBe("unshown.ipynb: 5 cells run, 4 failed");
      expect(status).toBe(1);
      const written = readFileSync(join(folder, "out.ipynb"), "utf8");
      expect(JSON.parse(written).cells[4].outputs[0].data["text/plain"].join("")).toContain(
        "the last one",
      );
      expect(written).toContain("not to be seen");
    });

    test("-e says in one line that a result could not be shown", async () => {
      const { status, stderr } = await restlab(runtime, ["-e", UNSHOWN.inspect]);
      expect(stderr).toMatch(/^The result could not be shown: [^\n]+\n$/);
      expect(status).toBe(1);
    });
  });
}

describeHardAnswers(RUNTIME);
