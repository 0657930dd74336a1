import { type Block, formatBytes, type ViewContext } from "../blocks/mod.ts";
import { type JsonHead, jsonHeadOf } from "../json-preview/mod.ts";
import { type Body, shownText } from "./body.ts";
import { viewJson, viewJsonError } from "./json-view.ts";
import { foldSource } from "./source.ts";
import { viewText } from "./text-view.ts";

/** The bytes up to which a body is parsed whole, which reports all errors in it. */
export const WHOLE = 1_000_000;
/** The bytes up to which an invalid body is parsed to find the position of the error. */
const SEARCHED = 20_000_000;

/** Displays a JSON body; only the beginning of a long one is parsed, and the rest is counted. */
export function viewJsonBody(body: Body, context: ViewContext): readonly Block[] {
  const head = body.content.length > WHOLE || body.cut ? readHead(body) : undefined;
  if (head !== undefined && isObject(head.value)) {
    if (head.state === "whole" || body.cut) {
      // A client searches only the beginning of a long body for secrets; this may be from the rest.
      body.learn?.(head.value);
      const origin = { ...body.origin, total: head.total };
      const blocks = viewJson(head.value, context, body.masker(context), origin);
      return [...blocks, foldSource(body, context)];
    }
    if (body.content.length > SEARCHED) return viewBroken(body, context);
  }
  let value: unknown;
  try {
    value = body.json();
  } catch (error) {
    return viewJsonError(body, error, context);
  }
  const blocks = viewJson(value, context, body.masker(context), body.origin);
  return isObject(value) ? [...blocks, foldSource(body, context)] : blocks;
}

/** Reads the head of a body in UTF-8, the default encoding of JSON. */
function readHead({ content, charset = "utf-8" }: Body): JsonHead | undefined {
  if (!/^(?:utf-?8|us-ascii)$/i.test(charset)) return undefined;
  return jsonHeadOf(content);
}

function isObject(value: unknown): value is object {
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
