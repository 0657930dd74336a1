import type { RunOptions } from "../run/mod.ts";
import type { CommandOptions } from "../session/mod.ts";

/** Options that the prompt and all commands that run documents share. */
export const SESSION_OPTIONS = {
  var: { type: "string", multiple: true },
  env: { type: "string" },
  seed: { type: "string" },
  now: { type: "string" },
  demo: { type: "boolean" },
  timeout: { type: "string" },
  record: { type: "string" },
  replay: { type: "string" },
  "record-missing": { type: "boolean" },
} as const;

/** What `parseArgs` reads of {@link SESSION_OPTIONS}. */
interface SessionValues {
  readonly var?: readonly string[];
  readonly env?: string;
  readonly seed?: string;
  readonly now?: string;
  readonly demo?: boolean;
  readonly timeout?: string;
  readonly record?: string;
  readonly replay?: string;
  readonly "record-missing"?: boolean;
}

/** Resolves the values of {@link SESSION_OPTIONS}. */
export function toSessionOptions(values: SessionValues): CommandOptions {
  return {
    variables: (values.var ?? []).map(parseVariable),
    environment: values.env,
    seed: values.seed,
    now: values.now === undefined ? undefined : parseClock(values.now),
    demo: values.demo,
    timeout: values.timeout === undefined ? undefined : parseSeconds(values.timeout),
    record: values.record,
    replay: values.replay,
    recordMissing: values["record-missing"],
  };
}

/** Resolves the files and the session options of a command that runs documents. */
export function toRunOptions(values: SessionValues, files: readonly string[]): RunOptions {
  // Before the check for files: a `--var` without a value takes the name of the file.
  const options = toSessionOptions(values);
  if (files.length === 0) {
    throw new Error("No file is given: name .ipynb or .http files, or folders");
  }
  return { files, ...options };
}

/**
 * Finds which of some options is given.
 *
 * @throws {Error} More than one is.
 */
export function oneOf<Name extends string>(
  names: readonly Name[],
  values: { readonly [Option in Name]?: unknown },
): Name | undefined {
  const given = names.filter((name) => values[name] !== undefined);
  if (given.length > 1) {
    throw new Error(`Only one of ${given.map((name) => `--${name}`).join(" and ")} can be given`);
  }
  return given[0];
}

/** Parses `--var name=value`. */
function parseVariable(text: string): readonly [string, string] {
  const at = text.indexOf("=");
  const missing = at < 0 ? "value" : "name";
  if (at < 1) throw new Error(`--var "${text}" has no ${missing}: write --var name=value`);
  return [text.slice(0, at), text.slice(at + 1)];
}

/** Parses `--now` as a fixed clock. */
function parseClock(text: string): () => Date {
  const time = Date.parse(text);
  // Everything else that Date.parse reads depends on the runtime, or on the time zone of the machine.
  if (Number.isNaN(time) || !/^\d{4}-\d\d-\d\d(?:T.*(?:Z|[+-]\d\d:\d\d))?$/.test(text)) {
    throw new Error(
      `--now "${text}" is not a time: give a date, or a time with its zone, for example --now 2026-01-31T12:00:00Z`,
    );
  }
  return () => new Date(time);
}

/** Parses the seconds of an option. */
export function parseSeconds(text: string, option = "--timeout"): number {
  const seconds = Number(text);
  // setTimeout takes 31 bits of milliseconds and fires at once beyond them.
  if (!(seconds > 0) || seconds > 2_147_483) {
    throw new Error(`${option} "${text}" is not a time: give seconds, for example ${option} 10`);
  }
  return seconds;
}
