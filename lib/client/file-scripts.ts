import { isFailedAssertion, lineSpan } from "../assertions/mod.ts";
import { ScriptError } from "../exchange/mod.ts";
import type { SendOptions } from "../http/mod.ts";
import { createFault, locate } from "../interpolation/mod.ts";
import type { ScriptDraft, ScriptEntry } from "../request/mod.ts";
import { thrownSpan } from "./request-checks.ts";

/**
 * Runs a script that belongs to no request, or notes it for the requests to come.
 *
 * @throws {ScriptError} The script, or a test in it, has failed.
 */
export async function runFileScript(
  script: ScriptEntry,
  { runScript, file: ofText }: SendOptions,
  fileScripts: FileScripts,
): Promise<void> {
  const { isForEach, dialect, from, source, file = ofText } = script;
  if (runScript === undefined || from.kind === "file") return;
  if (isForEach) return fileScripts.add(script, file);
  const { start, end } = from.code;
  const location = { ...(file === undefined ? {} : { file }), ...locate(script, start) };
  const code = source.slice(start, end);
  const { results, thrown } = await runScript({ dialect, kind: "before", code, location });
  const failed = results.filter(isFailedAssertion);
  const faults = [
    ...failed.map(({ text, message = "", location }) => {
      const span = lineSpan(script, location.line);
      return createFault(script, span, `${text} failed: ${message}`);
    }),
    ...(thrown === undefined
      ? []
      : [createFault(script, thrownSpan(script, thrown), thrown.message)]),
  ];
  if (faults.length > 0) throw new ScriptError(source, faults);
}

/** The scripts of files that run with each of their requests. */
export interface FileScripts {
  /** Adds a script; one at the same line of the same file is replaced. */
  add(script: ScriptDraft, file: string | undefined): void;
  of(file: string | undefined): readonly ScriptDraft[];
  clear(): void;
}

/** Creates an empty list. */
export function createFileScripts(): FileScripts {
  const files = new Map<string | undefined, Map<number, ScriptDraft>>();
  return {
    add: (script, file) => {
      const scripts = files.get(file) ?? new Map<number, ScriptDraft>();
      files.set(file, scripts.set(locate(script, script.span.start).line, script));
    },
    of: (file) => [...(files.get(file)?.values() ?? [])],
    clear: () => files.clear(),
  };
}
