import { isRecord } from "../../interpolation/mod.ts";
import { JSON_TYPE } from "../../request/mod.ts";
import { type Block, cutText, DEFAULT_LIMITS, formatBytes } from "../blocks/mod.ts";
import { toText } from "../formats/mod.ts";
import { toVisibleText } from "../text/mod.ts";
import { viewPlotly, viewVegaLite } from "./chart-text.ts";
import { drawingTitle, markupText } from "./markup-text.ts";
import type { MarkupParser } from "./own-markup.ts";

type Parser = () => MarkupParser | undefined;
type View = (content: unknown, mediaType: string, parser: Parser) => readonly Block[] | undefined;

/** Views as text by media type, the one that says most first. */
const VIEWS: readonly (readonly [mediaType: RegExp, view: View])[] = [
  [/^text\/(?:x-)?markdown$/, viewString],
  [/^application\/vnd\.vegalite\.v\d+\+json$/, viewSpec(viewVegaLite)],
  [/^application\/vnd\.plotly\.v\d+\+json$/, viewSpec(viewPlotly)],
  [JSON_TYPE, viewData],
  [/^(?:text\/html|application\/xhtml\+xml)$/, viewMarkup],
  [/^image\/svg\+xml$/, viewDrawing],
  [/^image\//, () => undefined],
  [/^text\//, viewString],
];

/** The plain text of a bundle without one, for consoles and for viewers that know none of its parts. */
export function plainTextOf(bundle: Readonly<Record<string, unknown>>, parser: Parser): string {
  for (const [pattern, view] of VIEWS) {
    const mediaType = Object.keys(bundle).find((one) => pattern.test(one));
    if (mediaType === undefined) continue;
    const blocks = view(bundle[mediaType], mediaType, parser);
    return toText(blocks ?? [describe(bundle[mediaType], mediaType)]);
  }
  const [mediaType = "", content] = Object.entries(bundle)[0] ?? [];
  return toText([describe(content, mediaType)]);
}

function viewString(content: unknown): readonly Block[] | undefined {
  if (typeof content !== "string") return undefined;
  return [{ kind: "text", text: cutText(toVisibleText(content), DEFAULT_LIMITS.text) }];
}

function viewSpec(view: (spec: Readonly<Record<string, unknown>>) => readonly Block[]): View {
  return (content, mediaType) => (isRecord(content) ? view(content) : viewData(content, mediaType));
}

function viewData(content: unknown, _mediaType: string): readonly Block[] {
  const toDigits = (_key: string, item: unknown): unknown =>
    typeof item === "bigint" ? String(item) : item;
  const text = typeof content === "string" ? content : JSON.stringify(content, toDigits, 2);
  return [{ kind: "text", text: cutText(text, DEFAULT_LIMITS.text), language: "json" }];
}

function viewMarkup(
  content: unknown,
  _mediaType: string,
  parser: Parser,
): readonly Block[] | undefined {
  const found = typeof content === "string" ? parser() : undefined;
  if (found === undefined) return undefined;
  const text = markupText(content as string, found);
  return text === "" ? undefined : viewString(text);
}

function viewDrawing(content: unknown, mediaType: string): readonly Block[] | undefined {
  const title = typeof content === "string" ? drawingTitle(content) : undefined;
  return title === undefined ? undefined : [describe(content, `${mediaType}, ${title}`)];
}

function describe(content: unknown, what: string): Block {
  const text = typeof content === "string" ? content : (JSON.stringify(content) ?? "");
  const isBase64 = /^image\/(?!svg)|^audio\/|^video\//.test(what);
  const bytes = isBase64 ? Math.floor((text.length * 3) / 4) : text.length;
  const size = formatBytes(bytes);
  return { kind: "note", level: "info", text: `[${what}, ${size}]` };
}
