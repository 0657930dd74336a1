import { type Exchange, type ExchangePart, receivedJson } from "../exchange/mod.ts";
import { isJsonType } from "../request/mod.ts";
import { maskBeginning } from "../secrets/mod.ts";
import { answerBody, answerData, forAnswer } from "./answer-body.ts";
import type { Block } from "./block.ts";
import { savedSize } from "./bundle-of.ts";
import { escapeHtml } from "./escape.ts";
import {
  type ToldElsewhere,
  viewAnswer,
  viewHeaderLists,
  viewRequestPart,
  viewRest,
} from "./exchange.ts";
import { viewJsonBody, viewJsonSource } from "./json-view.ts";
import { DEFAULT_LIMITS } from "./limits.ts";
import { recognize } from "./recognize.ts";
import { showTable } from "./table.ts";
import { shownText, viewText } from "./text-view.ts";
import { createView, type View, type ViewOptions } from "./view.ts";
import { viewBinary } from "./view-body.ts";
import { maxText, type ViewContext } from "./view-context.ts";
import { toVisibleLine } from "./visible.ts";

/** A part of an exchange that can be shown by itself. */
export type Part = ExchangePart;

type PartView = (exchange: Exchange, context: ViewContext) => readonly Block[];

const PARTS: Readonly<Record<Exclude<Part, "table">, PartView>> = {
  request: viewRequestPart,
  headers: viewHeaderLists,
  body: viewSource,
  json: (exchange, context) =>
    isValidJson(exchange)
      ? viewJsonBody(answerBody(exchange), context)
      : viewAnswer(exchange, context),
  text: (exchange, context) =>
    viewText(shownText(answerBody(exchange), context), languageOf(exchange), context),
  hex: (exchange, context) => viewBinary(answerBody(exchange), context),
  "html-preview": viewPreview,
};

// The share of the bundle for data that was asked for; the rest is for the other formats.
const JSON_SHARE = 0.6;

/**
 * Displays one part of an exchange, as {@link Views.show} describes.
 *
 * @throws {TypeError} There is no such part.
 * @throws {SyntaxError} The part is a table, and the body is not valid JSON.
 */
export function showPart(exchange: Exchange, part: Part, options: ViewOptions = {}): View {
  if (part === "table") return showTable(exchange, options);
  if (!Object.hasOwn(PARTS, part)) {
    const known = [...Object.keys(PARTS), "table"].join(", ");
    throw new TypeError(
      `Cannot show the part ${JSON.stringify(part)} of an exchange: the parts are ${known}`,
    );
  }
  const secrets = [...(exchange.secrets ?? []), ...(options.secrets ?? [])];
  const limits = options.limits ?? DEFAULT_LIMITS;
  const asJson =
    part === "json" ? (context: ViewContext): unknown => dataOf(exchange, context) : undefined;
  const view = (context: ViewContext) => PARTS[part](exchange, forAnswer(context, exchange));
  return createView(view, { limits, secrets }, asJson);
}

/** Displays an exchange without what is told elsewhere. */
export function showRest(exchange: Exchange, told: ToldElsewhere): View {
  const view = (context: ViewContext) => viewRest(exchange, forAnswer(context, exchange), told);
  return createView(view, { secrets: exchange.secrets ?? [] });
}

/** The body as it was received; JSON indented. */
function viewSource(exchange: Exchange, context: ViewContext): readonly Block[] {
  const { body } = recognize(answerBody(exchange));
  const isJson = isJsonType(body.mediaType) && isValidJson(exchange);
  return isJson ? viewJsonSource(body, context) : viewAnswer(exchange, context);
}

/** An empty body has no JSON, and the view of an invalid one reports why it is not valid. */
function isValidJson(exchange: Exchange): boolean {
  try {
    return receivedJson(exchange) !== undefined;
  } catch {
    return false;
  }
}

function dataOf(exchange: Exchange, context: ViewContext): unknown {
  const most = DEFAULT_LIMITS.bundle * JSON_SHARE;
  const data = answerData(exchange, context, most);
  return savedSize(data) > most ? undefined : data;
}

function languageOf({ mediaType }: Exchange): string | undefined {
  return /[/+](html|xml|json)$/.exec(mediaType)?.[1];
}

function viewPreview(exchange: Exchange, context: ViewContext): readonly Block[] {
  // Masked before it is framed: a server must not be able to have the frame's policy replaced.
  const mask = (text: string): string =>
    context.masking.mask(text, (shown) => escapeHtml(toVisibleLine(shown)));
  const searched = maskBeginning(exchange.text, maxText(context.limits), mask);
  // What its place alone makes secret, such as a hidden field, is masked as in the source.
  const html = context.masker.body(searched, exchange.mediaType);
  const source = viewText(shownText(answerBody(exchange), context), "html", context);
  if (html.length > context.limits.text * 2) {
    const text = "The page is too long for a preview in a notebook; its source is shown";
    return [{ kind: "note", level: "info", text }, ...source];
  }
  const description = "The page, without scripts and external resources";
  return [
    { kind: "frame", html, description },
    { kind: "fold", title: "Source", blocks: source },
  ];
}
