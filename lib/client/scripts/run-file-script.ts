import { ScriptError } from "../../exchange/mod.ts";
import type { SendOptions } from "../../http/mod.ts";
import { createFault, locate } from "../../interpolation/mod.ts";
import type { ScriptEntry } from "../../request/mod.ts";
import type { FileScripts } from "./file-scripts.ts";

/**
 * Runs a script that belongs to no request, or notes it for the requests to come.
 *
 * @throws {ScriptError} The script, or a test in it, has failed.
 */
export async function runFileScript(
  script: ScriptEntry,
  { runScript, file }: SendOptions,
  fileScripts: FileScripts,
): Promise<void> {
  const { isForEach, dialect, from, source, span } = script;
  if (runScript === undefined || from.kind === "file") return;
  if (isForEach) return fileScripts.add(script, file);
  const { start, end } = from.code;
  const location = { ...(file === undefined ? {} : { file }), ...locate(script, start) };
  const code = source.slice(start, end);
  const { results, thrown } = await runScript({ dialect, kind: "before", code, location });
  const failed = results.filter(({ passed }) => !passed);
  const messages = [
    ...failed.map(({ text, message = "" }) => `${text} failed: ${message}`),
    ...(thrown === undefined ? [] : [thrown.message]),
  ];
  if (messages.length === 0) return;
  throw new ScriptError(
    source,
    messages.map((message) => createFault(script, span, message)),
  );
}
