import { joinParts, type Part, renderTemplate, type Template } from "../interpolation/mod.ts";
import type { BodyDraft, FileDraft, Remark } from "./draft.ts";
import { beginsAsJson } from "./header-line.ts";
import { linesOf, splitFiles } from "./normalize-body.ts";
import type { MessageStep } from "./render.ts";
import type { RenderContext, RenderedBody } from "./render-body.ts";

/** A line between two messages; `wait-for-server` waits for a message first. */
const SEPARATOR = /^===(?:[ \t]+(wait-for-server))?[ \t]*$/;

type StepDraft = { readonly kind: "send"; readonly text: Template } | { readonly kind: "wait" };

/** Renders the messages of a WebSocket request, which lines `===` separate as in JetBrains' and httpYac's files. */
export function renderMessages(draft: BodyDraft | undefined, context: RenderContext): RenderedBody {
  const { variables, missing, unresolved } = context;
  if (draft === undefined) return { body: undefined, messages: [], remarks: [] };
  const remarks: Remark[] = [];
  const texts = piecesOf(draft).flatMap((piece) => {
    if (!("path" in piece)) return [piece];
    const path = renderTemplate(piece.path, variables, "text", { missing, unresolved });
    const message = `The file "${path}" is not sent: write its messages into the request`;
    remarks.push({ code: "body", message, span: draft.span });
    return [];
  });
  const messages = texts.flatMap(splitMessages).map((step): MessageStep => {
    if (step.kind === "wait") return step;
    const [first] = step.text.parts;
    const place = typeof first === "string" && beginsAsJson(first) ? "json" : "text";
    const text = renderTemplate(step.text, variables, place, { missing, unresolved });
    return { kind: "send", text };
  });
  const body = messages.map((step) => (step.kind === "send" ? step.text : "=== wait-for-server"));
  return { body: body.length === 0 ? undefined : body.join("\n===\n"), messages, remarks };
}

function piecesOf(draft: BodyDraft): readonly (Template | FileDraft)[] {
  if (draft.kind === "pieces") return draft.pieces;
  if (draft.kind === "file") return [draft];
  return (draft.exact ? undefined : splitFiles(draft.text)) ?? [draft.text];
}

function splitMessages(template: Template): readonly StepDraft[] {
  const steps: StepDraft[] = [];
  let lines: (readonly Part[])[] = [];
  const flush = (): void => {
    const text = trimmed(lines.flat());
    if (text.length > 0) steps.push({ kind: "send", text: { ...template, parts: text } });
    lines = [];
  };
  for (const { content, end } of linesOf(template.parts)) {
    const [only, ...more] = content;
    const mark = typeof only === "string" && more.length === 0 ? SEPARATOR.exec(only) : null;
    if (mark === null) lines.push([...content, end]);
    else {
      flush();
      if (mark[1] !== undefined) steps.push({ kind: "wait" });
    }
  }
  flush();
  return steps;
}

/** Removes the line breaks around a message, which belong to the separators. */
function trimmed(parts: readonly Part[]): readonly Part[] {
  const joined = joinParts(parts);
  const [first] = joined;
  if (typeof first === "string") joined[0] = first.replace(/^\s*[\r\n]+/, "");
  const last = joined.at(-1);
  if (typeof last === "string") joined[joined.length - 1] = last.trimEnd();
  return joined.filter((part) => part !== "");
}
