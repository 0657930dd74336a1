import { isReachableName, type Span, shorten } from "../../interpolation/mod.ts";
import type { AssignmentDraft } from "../draft/mod.ts";
import type { Parser } from "./lines/mod.ts";

/** Parses a variable line `@name = value` or `@name := value`; without an equals sign it is reported. */
export function readAssignment(parser: Parser, span: Span): AssignmentDraft | undefined {
  const { source, firstLine } = parser;
  const text = source.slice(span.start, span.end);
  const equals = text.indexOf("=");
  const hint = "Write @name = value";
  if (equals === -1) {
    parser.report(span, `The variable line "${shorten(text)}" has no equals sign`, hint);
    return undefined;
  }
  const isLazy = text[equals - 1] === ":";
  const whole = text.slice(1, isLazy ? equals - 1 : equals).trim();
  const [name = "", ...steps] = whole.split(".");
  if (!isReachableName(name) || !steps.every(isReachableStep)) {
    const message = `The variable name "${shorten(whole)}" cannot be used in a placeholder`;
    const rule = "Names consist of letters, digits, _ and -, and begin with a letter or _";
    parser.report({ start: span.start, end: span.start + equals }, message, rule);
  }
  const valueSpan = {
    start: span.end - text.slice(equals + 1).trimStart().length,
    end: span.end,
  };
  const value = parser.template(valueSpan);
  const below = steps.length === 0 ? {} : { steps };
  const lazy = isLazy ? { isLazy } : {};
  return { kind: "assignment", name, ...below, value, valueSpan, ...lazy, span, source, firstLine };
}

/** Whether a placeholder can name a property after a dot. */
function isReachableStep(step: string): boolean {
  return isReachableName(`_${step}`) && step !== "" && step !== "__proto__";
}
