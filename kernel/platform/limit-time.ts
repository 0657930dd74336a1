import process from "node:process";
import { Script } from "node:vm";
import { currentRuntime } from "./platform.ts";

/** Milliseconds that code may take in any case, and how many characters allow it one more. */
const LEAST = 1_000;
const CHARACTERS = 5_000;

/** The global symbol of the code that runs. */
const NAME = Symbol.for("restlab.limited");

const NativeRegExp = RegExp;

let script: Script | undefined;

/**
 * Runs code that matches regular expressions which are not the cell's own, and ends it after a second, or a little
 * later where the text is long. It cannot wait for an interrupt: while an expression backtracks, only Node lets
 * another thread end it.
 *
 * @param run The code, which is synchronous.
 * @param size How many characters it matches.
 * @throws {Error} It was ended.
 */
export function limitTime<T>(run: () => T, size: number): T {
  const limit = Math.ceil(LEAST + size / CHARACTERS);
  const end = performance.now() + limit;
  Object.defineProperty(globalThis, NAME, { value: run, configurable: true });
  const isBun = currentRuntime().name === "bun";
  if (isBun) globalThis.RegExp = createLimitedRegExp(end);
  // The time limit of a script is the one that V8 applies within an expression, on Deno, too.
  script ??= new Script(`globalThis[Symbol.for("${NAME.description}")]()`);
  try {
    return script.runInThisContext({ timeout: limit, displayErrors: false });
  } catch (error) {
    if (performance.now() < end || !isTimeout(error)) throw error;
    throw new Error(
      `Matching was ended after ${(limit / 1_000).toFixed(1)} s: the regular expression backtracks too much. ` +
        "Write it without repetitions that can match the same text, as in (a+)+",
      { cause: error },
    );
  } finally {
    if (isBun) globalThis.RegExp = NativeRegExp;
    Reflect.deleteProperty(globalThis, NAME);
  }
}

/** The errors of `node:vm` and of `node:child_process`. */
function isTimeout(error: unknown): boolean {
  const code: unknown = Reflect.get(Object(error), "code");
  return code === "ERR_SCRIPT_EXECUTION_TIMEOUT" || code === "ETIMEDOUT";
}

/** How many steps JavaScriptCore may take at most in this process: some tenths of a second. */
const MOST_STEPS = 1e8;
/** What lets an expression match the same text in several ways. */
const CHOICES = /[*+?|]|\{\d+,/g;

const PROGRAM = `
const [source, flags, text] = JSON.parse(require("node:fs").readFileSync(0, "utf8"));
process.stdout.write(String(new RegExp(source, flags).test(text)));`;

/**
 * Nothing ends an expression that JavaScriptCore (Bun 1.4) has compiled. So one that may take long is matched by a
 * process, which takes 20 ms to start. The schema validator creates its expressions by the global constructor.
 */
function createLimitedRegExp(end: number): RegExpConstructor {
  class LimitedRegExp extends NativeRegExp {
    override test(text: string): boolean {
      const choices = this.source.match(CHOICES)?.length ?? 0;
      if ((text.length + 1) ** (choices + 1) <= MOST_STEPS) return super.test(text);
      const { spawnSync } = process.getBuiltinModule("node:child_process");
      const { error, stdout } = spawnSync(process.execPath, ["-e", PROGRAM], {
        // A folder without settings of Bun, and without .env files.
        cwd: process.execPath.replace(/[^/\\]*$/, ""),
        input: JSON.stringify([this.source, this.flags, text]),
        timeout: Math.max(1, Math.ceil(end - performance.now())),
        killSignal: "SIGKILL",
        encoding: "utf8",
      });
      if (error !== undefined) throw error;
      return stdout === "true";
    }
  }
  return LimitedRegExp as unknown as RegExpConstructor;
}
