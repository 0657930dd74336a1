import type { DocumentOptions } from "../run/mod.ts";

/** The message if a command that reads documents gets none. */
export const NO_FILE = "No file is given: name .ipynb or .http files, or folders";

/** Options that the prompt and all runs of documents share. */
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

/** Reads the values of {@link SESSION_OPTIONS}. */
export function toSessionOptions(values: {
  readonly var?: readonly string[] | undefined;
  readonly env?: string | undefined;
  readonly seed?: string | undefined;
  readonly now?: string | undefined;
  readonly demo?: boolean | undefined;
  readonly timeout?: string | undefined;
  readonly record?: string | undefined;
  readonly replay?: string | undefined;
  readonly "record-missing"?: boolean | undefined;
}): DocumentOptions {
  return {
    variables: (values.var ?? []).map(parseVariable),
    demo: values.demo ?? false,
    ...(values.env === undefined ? {} : { environment: values.env }),
    ...(values.seed === undefined ? {} : { seed: values.seed }),
    ...(values.now === undefined ? {} : { now: parseClock(values.now) }),
    ...(values.timeout === undefined ? {} : { timeout: parseSeconds(values.timeout) }),
    ...(values.record === undefined ? {} : { record: values.record }),
    ...(values.replay === undefined ? {} : { replay: values.replay }),
    recordMissing: values["record-missing"] ?? false,
  };
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
export function parseVariable(text: string): readonly [string, string] {
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

function parseSeconds(text: string): number {
  const seconds = Number(text);
  // setTimeout takes 31 bits of milliseconds and fires at once beyond them.
  if (!(seconds > 0) || seconds > 2_147_483) {
    throw new Error(`--timeout "${text}" is not a time: give seconds, for example --timeout 10`);
  }
  return seconds;
}
