import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import process from "node:process";
import { endedBy } from "../../kernel/session/cell/mod.ts";
import { createSession } from "../../kernel/session/mod.ts";
import { createLab, type Lab, startServer } from "./contract/lab.ts";
import { SESSION_CONTRACT } from "./session-contract.ts";

/** Runs subjects of the contract in this runtime and prints a line of JSON for each case. */
const print = process.stdout.write.bind(process.stdout);
// A function, since what is bundled may import this file back: an `await` outside would wait for itself.
async function main(): Promise<void> {
  const { base, server } = await startServer();
  for (const subject of process.argv.slice(2)) {
    for (const [name, check] of Object.entries(SESSION_CONTRACT[subject] ?? {})) {
      const error = await run(check, base);
      print(`RESULT ${JSON.stringify({ subject, name, error })}\n`);
    }
  }
  // Without process.exit: a session that was closed keeps no process alive.
  server.closeAllConnections();
  server.close();
}

/** Runs a case in a session and a folder of its own, and returns its error. */
async function run(check: (lab: Lab) => Promise<void>, base: string): Promise<string | undefined> {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), "restlab-session-")));
  const exits: number[] = [];
  const session = await createSession({
    platform: { directory, readFile: (path) => readFile(resolve(directory, path)) },
    onExit: (status) => exits.push(status),
    // As every front end has it; cells of the contract set the flag themselves.
    scriptEvents: endedBy({
      run: (script) => script(),
      mustEnd: () => Reflect.get(globalThis, "mustEnd") === true,
    }),
  });
  try {
    await check(createLab(session, { directory, base, exits }));
    return undefined;
  } catch (failure) {
    return failure instanceof Error ? (failure.stack ?? failure.message) : String(failure);
  } finally {
    await session.close();
    rmSync(directory, { recursive: true, force: true });
  }
}

void main();
