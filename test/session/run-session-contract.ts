import { execFile } from "node:child_process";
import { beforeAll, describe, expect, test } from "vitest";
import { SESSION_CONTRACT } from "./session-contract.ts";

/** How a runtime starts the fixture: a program and the words before those of the fixture. */
export type Launch = () => Promise<readonly [program: string, ...words: string[]]>;

/** Runs the contract in a runtime, a process for each subject. */
export function runSessionContract(runtime: string, launch: Launch): void {
  for (const [subject, contract] of Object.entries(SESSION_CONTRACT)) {
    describe(`session on ${runtime}: ${subject}`, () => {
      let results: Map<string, string | undefined>;
      let log = "";
      beforeAll(async () => {
        ({ results, log } = await run(await launch(), subject));
      }, 180_000);
      test.each(Object.keys(contract))("%s", (name) => {
        expect(results.has(name), log).toBe(true);
        expect(results.get(name)).toBeUndefined();
      });
    });
  }
}

function run(
  [program, ...words]: readonly [string, ...string[]],
  subject: string,
): Promise<{ results: Map<string, string | undefined>; log: string }> {
  return new Promise((resolve) => {
    const options = { timeout: 170_000, maxBuffer: 1 << 26 };
    execFile(program, [...words, subject], options, (failure, stdout, stderr) => {
      const results = new Map<string, string | undefined>();
      for (const [, json = ""] of stdout.matchAll(/^RESULT (.*)$/gm)) {
        const { name, error } = JSON.parse(json);
        results.set(name, error);
      }
      resolve({ results, log: `${failure?.message ?? ""}\n${stdout}\n${stderr}` });
    });
  });
}
