import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { createClient } from "../../kernel/library.ts";

const ROOT = join(import.meta.dirname, "../..");
const RUNTIMES: Readonly<Record<string, readonly string[]>> = {
  node: [process.execPath, "--input-type=module", "-e"],
  deno: [join(ROOT, "node_modules/.bin/deno"), "eval", "--quiet"],
  bun: [join(ROOT, "node_modules/.bin/bun"), "-e"],
};
const LIBRARY = join(ROOT, "dist/kernel/library.js");
const MOCK = `globalThis.fetch = async (input) => new Response("mocked " + new URL(input.url ?? input).pathname);`;

/** Prints what a client gets if the global fetch is replaced before it is loaded, and after. */
const PROGRAMS = {
  before: `${MOCK} const { createClient } = await import(${JSON.stringify(LIBRARY)});`,
  after: `const { createClient } = await import(${JSON.stringify(LIBRARY)}); ${MOCK}`,
};

test.each(
  Object.keys(RUNTIMES).flatMap((runtime) =>
    Object.entries(PROGRAMS).map(([when, program]) => [runtime, when, program] as const),
  ),
)(
  "on %s, a global fetch that is replaced %s restlab is loaded gets the requests",
  async (...given) => {
    const [runtime, , program] = given;
    const [command = "", ...words] = RUNTIMES[runtime] ?? [];
    const code = `${program} console.log((await createClient().send("GET http://127.0.0.1:1/a")).text);`;
    const { stdout } = await promisify(execFile)(command, [...words, code], { cwd: ROOT });
    expect(stdout.trim()).toBe("mocked /a");
  },
);

test("a dispatcher of undici, which the transport does not know, is refused", async () => {
  const ky = { dispatcher: {} } as object;
  await expect(createClient({ ky }).send("GET http://127.0.0.1:1/a")).rejects.toMatchObject({
    name: "UnsendableRequestError",
    message: expect.stringMatching(/^Cannot use a dispatcher of undici/),
  });
  const fetch = async (): Promise<Response> => new Response("mocked");
  expect((await createClient({ ky, fetch }).send("GET http://127.0.0.1:1/a")).text).toBe("mocked");
});
