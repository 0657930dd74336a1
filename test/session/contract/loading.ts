import assert from "node:assert/strict";
import { createRequire } from "node:module";
import type ts from "typescript";
import type { Contract } from "./lab.ts";

/** The declarations that the compiler reads meanwhile. */
async function filesReadBy(action: () => Promise<void>): Promise<readonly string[]> {
  const { sys } = createRequire(import.meta.url)("typescript") as typeof ts;
  const { readFile } = sys;
  const read: string[] = [];
  sys.readFile = (path, encoding) => {
    if (path.endsWith(".ts")) read.push(path);
    return readFile(path, encoding);
  };
  try {
    await action();
  } finally {
    sys.readFile = readFile;
  }
  return read;
}

/** TypeScript is loaded while nothing else is done. */
export const loading: Contract = {
  "a request cell is answered while TypeScript is loaded, which rests meanwhile": async (lab) => {
    const { base, session, ok } = lab;
    const loaded = session.warmUp();
    await ok(`GET ${base}/first`);
    assert.equal(session.isWarm, false);
    await ok(`GET ${base}/second`);
    assert.equal(session.isWarm, false);
    await loaded;
    assert.equal(session.isWarm, true);
  },
  "the first TypeScript cell after that reads no types": async ({ session, ok }) => {
    await session.warmUp();
    const read = await filesReadBy(async () =>
      assert.equal((await ok("const first: number = 40 + 2; first")).value, 42),
    );
    assert.deepEqual(read, []);
  },
  "help reads no types either, if what most cells need has it": async ({ session, ok }) => {
    await session.warmUp();
    await ok("const user = { name: 'Ada' };\n/** Greets. */\nfunction greet(name: string) {}");
    const read = await filesReadBy(async () => {
      for (const [code, text] of [
        ["user.na", "name"],
        ["client.setV", "setVar"],
        ["[1].fla", "flat"],
        ["gree", "greet"],
        ["consol", "console"],
        ["queueMicro", "queueMicrotask"],
      ] as const) {
        const { candidates } = await session.complete(code, code.length);
        assert.equal(candidates[0]?.text, text, code);
      }
      const client = await session.inspect("client.send", 9);
      assert.match(client?.documentation ?? "", /request/);
      const greet = await session.inspect("greet(", 6);
      assert.deepEqual(greet, { signature: "greet(name: string): void", documentation: "Greets." });
    });
    assert.deepEqual(read, []);
  },
  "help has all types where those do not have it": async ({ session }) => {
    await session.warmUp();
    const read = await session.inspect("import { readFile } from 'node:fs'; readFile", 40);
    assert.match(read?.documentation ?? "", /entire contents of a file/);
    const code = "import * as dns from 'node:dns'; dns.lookupS";
    const { candidates } = await session.complete(code, code.length);
    assert.equal(candidates[0]?.text, "lookupService");
  },
  "a TypeScript cell waits for what is left to be loaded, and so does a completion": async (
    lab,
  ) => {
    const { session, ok } = lab;
    const loaded = session.warmUp();
    const code = "client.setV";
    const [{ candidates }, { value }] = await Promise.all([
      session.complete(code, code.length),
      ok("const wanted: string = `${1 + 1}`; wanted"),
    ]);
    assert.deepEqual(
      candidates.map(({ text }) => text),
      ["setVar"],
    );
    assert.equal(value, "2");
    await loaded;
  },
  "modules of the runtime are typed when they are imported, whatever was read before": async (
    lab,
  ) => {
    const { session, ok, fail } = lab;
    await session.warmUp();
    const file = "import { createSecureServer } from 'node:http2';";
    assert.match((await fail(`${file} createSecureServer.nothing`)).message, /nothing/);
    await ok("import { win32 } from 'path/win32'; import type { Interface } from 'node:readline';");
    assert.match((await fail("(null as unknown as Interface).nothing")).message, /nothing/);
    assert.match((await fail("import { Session } from 'inspector'; Session.no")).message, /'no'/);
    assert.equal((await ok("typeof process.getBuiltinModule")).outcome.status, "ok");
  },
};
