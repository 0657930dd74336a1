import { lineSpan } from "../../assertions/mod.ts";
import type { ScriptEnd } from "../../http/mod.ts";
import type { Span } from "../../interpolation/mod.ts";
import type { ScriptDraft } from "../../request/mod.ts";

/** The line of a script on which it has thrown, or all of it: one in a file of its own has no line in the text. */
export function thrownSpan(script: ScriptDraft, thrown: ScriptEnd["thrown"]): Span {
  if (thrown?.location === undefined || script.from.kind === "file") return script.span;
  return lineSpan(script, thrown.location.line);
}
