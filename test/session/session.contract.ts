import { execFile } from "node:child_process";
import { beforeAll, describe, expect, test } from "vitest";
import { type Launch, launchOf, RUNS_ALL, RUNTIME } from "../support/runtime.ts";
import { SESSION_CONTRACT } from "./session-contract.ts";

/** Subjects that are the same code on every runtime. */
const SAME = [
  ...["values", "syntax", "faults", "help", "names", "displays", "scriptBlocks", "matchers"],
  "tests",
];
const CONTRACT = Object.fromEntries(
  Object.entries(SESSION_CONTRACT).filter(([subject]) => RUNS_ALL || !SAME.includes(subject)),
);

/**
 * Subjects that need a process of their own: nothing may have been loaded there before, or they take as long as all
 * others together. The others share one, and the time that it takes to load TypeScript.
 */
const ALONE = ["owners", "start", "loading"].filter((subject) => subject in CONTRACT);
/** The library of `expect` is loaded by `tests`; after a package that awaits, Deno 2.9 mistakes whose timer it is that fails. */
const RANKS: Readonly<Record<string, number>> = { tests: -1, packages: 1, imports: 1 };
const SHARED = Object.keys(CONTRACT)
  .filter((subject) => !ALONE.includes(subject))
  .sort((one, other) => (RANKS[one] ?? 0) - (RANKS[other] ?? 0));
/** Two at a time: what takes longest begins first. */
const PROCESSES = [["owners"], SHARED, ["loading"], ["start"]];
const TIMEOUT = 480_000;

describe(`session on ${RUNTIME}`, () => {
  const results = new Map<string, string | undefined>();
  const failures: string[] = [];
  let log = "";
  beforeAll(async () => {
    const command = await launchOf("test/session/session-fixture.ts");
    const left = PROCESSES.values();
    const runLeft = async (): Promise<void> => {
      for (const subjects of left) {
        const ended = await run(command, subjects);
        for (const [key, error] of ended.results) results.set(key, error);
        log += ended.log;
        if (ended.failure !== undefined) failures.push(`${subjects}: ${ended.failure}`);
      }
    };
    await Promise.all([runLeft(), runLeft()]);
  }, 2 * TIMEOUT);

  test("a session that was closed keeps no process alive", () => expect(failures).toEqual([]));

  for (const [subject, contract] of Object.entries(CONTRACT)) {
    test.each(Object.keys(contract))(`${subject}: %s`, (name) => {
      const key = `${subject}: ${name}`;
      expect(results.has(key), log).toBe(true);
      expect(results.get(key)).toBeUndefined();
    });
  }
});

interface Ended {
  /** The error of each case, or `undefined`. */
  readonly results: ReadonlyMap<string, string | undefined>;
  readonly log: string;
  /** Why the process did not end by itself, and well. */
  readonly failure: string | undefined;
}

function run([program, ...words]: Launch, subjects: readonly string[]): Promise<Ended> {
  return new Promise((resolve) => {
    const options = { timeout: TIMEOUT, maxBuffer: 1 << 26 };
    execFile(program, [...words, ...subjects], options, (failure, stdout, stderr) => {
      const results = new Map<string, string | undefined>();
      for (const [, json = ""] of stdout.matchAll(/^RESULT (.*)$/gm)) {
        const { subject, name, error } = JSON.parse(json);
        results.set(`${subject}: ${name}`, error);
      }
      const said = failure === null ? undefined : `${failure.message} (${failure.signal})`;
      resolve({ results, log: `${said ?? ""}\n${stdout}\n${stderr}`, failure: said });
    });
  });
}
