import type { Block, ViewContext } from "../blocks/mod.ts";
import { formatBytes } from "../blocks/mod.ts";
import type { JsonHead } from "../json-preview/mod.ts";
import { jsonHeadOf } from "../json-preview/mod.ts";
import { type Body, shownText } from "./body.ts";
import { viewJson, viewJsonError } from "./json-view.ts";
import { viewText } from "./text-view.ts";

/** A body up to so many bytes is parsed whole: what is wrong with it anywhere is then known. */
export const WHOLE = 1_000_000;
/** A longer body that is no JSON is not parsed to say where it breaks. */
const SEARCHED = 20_000_000;

/** A body as JSON; of a long one only the beginning is parsed, the rest is counted. */
export function viewJsonBody(body: Body, context: ViewContext): readonly Block[] {
  const head = body.content.length > WHOLE || body.cut ? readHead(body) : undefined;
  if (head !== undefined && isContainer(head.value)) {
    if (head.state === "whole" || body.cut) {
      // A client searches the first part of a long body; this may be further down.
      body.teach?.(head.value);
      return viewJson(head.value, context, body.masker(context), {
        ...body.origin,
        total: head.total,
      });
    }
    if (body.content.length > SEARCHED) return viewBroken(body, context);
  }
  let value: unknown;
  try {
    value = body.json();
  } catch (error) {
    return viewJsonError(body, error, context);
  }
  return viewJson(value, context, body.masker(context), body.origin);
}

/** Reads the head of a body in UTF-8, which JSON is in unless its media type says otherwise. */
function readHead({ content, charset = "utf-8" }: Body): JsonHead | undefined {
  if (!/^(?:utf-?8|us-ascii)$/i.test(charset)) return undefined;
  return jsonHeadOf(content);
}

function isContainer(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

function viewBroken(body: Body, context: ViewContext): readonly Block[] {
  const size = formatBytes(body.content.length);
  const text = `The body is not valid JSON; it is too long (${size}) to locate the error`;
  return [
    { kind: "note", level: "warning", text },
    ...viewText(shownText(body, context), "json", context),
  ];
}
