import { isRecord } from "../interpolation/mod.ts";
import { JSON_TYPE } from "../request/mod.ts";
import type { Block } from "./block.ts";
import { cutText } from "./compact.ts";
import { DEFAULT_LIMITS } from "./limits.ts";
import { viewStructure } from "./structure.ts";
import { toText } from "./text.ts";
import { formatBytes } from "./units.ts";
import { createViewContext } from "./view-context.ts";
import { toVisibleText } from "./visible.ts";

type View = (content: unknown, mediaType: string) => readonly Block[] | undefined;

/** What a text does not show: programs, styles, comments, and pictures, which it can only name. */
const UNSEEN =
  /<!--[\s\S]*?(?:-->|$)|<(script|style|template|noscript|iframe|object|head|math|select|svg|canvas)\b[^<>]*>[\s\S]*?(?:<\/\1\s*>|$)|<img\b[^<>]*>/gi;

const LABEL = /^<[^<>]*\s(?:aria-label|alt|title)\s*=\s*(?:"([^"<>]+)"|'([^'<>]+)')/i;

const PREFORMATTED = /(<pre\b[^<>]*>[\s\S]*?(?:<\/pre>|$))/i;

const LINES =
  /<\/?(?:address|article|aside|blockquote|br|caption|d[dlt]|div|fieldset|fig\w+|footer|form|h[1-6]|header|hr|legend|li|main|nav|ol|p|pre|section|summary|details|table|tr|ul)\b[^<>]*>/gi;

const CELLS = /<\/?t[dh]\b[^<>]*>/gi;

const TAG = /<\/?[a-z!][^<>]*>/gi;

const REFERENCE = /&(?:#(\d{1,6})|#x([\da-f]{1,5})|(amp|lt|gt|quot|apos|nbsp));/gi;

const CHARACTERS: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
};

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
export function plainTextOf(bundle: Readonly<Record<string, unknown>>): string {
  for (const [pattern, view] of VIEWS) {
    const mediaType = Object.keys(bundle).find((one) => pattern.test(one));
    if (mediaType === undefined) continue;
    const blocks = view(bundle[mediaType], mediaType);
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

/** The text of HTML as a reader sees it, roughly: rows and paragraphs are lines. */
function viewMarkup(content: unknown): readonly Block[] | undefined {
  if (typeof content !== "string") return undefined;
  const seen = content.replace(UNSEEN, (whole) => {
    const [, double, single] = LABEL.exec(whole) ?? [];
    const label = double ?? single;
    return label === undefined ? "" : `[${label}]`;
  });
  const lines = seen
    .split(PREFORMATTED)
    .map((part, at) => (at % 2 === 1 ? part : part.replace(/\s+/g, " ")))
    .join("")
    .replace(LINES, "\n")
    .replace(CELLS, "  ")
    .replace(TAG, "")
    .replace(REFERENCE, (_, decimal?: string, hex?: string, name?: string) =>
      name === undefined
        ? String.fromCodePoint(Number(decimal ?? `0x${hex}`))
        : (CHARACTERS[name.toLowerCase()] ?? ""),
    )
    .split("\n")
    .map((line) => line.trim().replace(/ {3,}/g, "  "))
    .filter((line) => line !== "");
  return lines.length === 0 ? undefined : viewString(lines.join("\n"));
}

function viewDrawing(content: unknown, mediaType: string): readonly Block[] | undefined {
  if (typeof content !== "string") return undefined;
  const title = /<title[^<>]*>([^<]{1,200})<\/title>/i.exec(content)?.[1]?.trim();
  return title === undefined ? undefined : [describe(content, `${mediaType}, ${title}`)];
}

function describe(content: unknown, what: string): Block {
  const text = typeof content === "string" ? content : (JSON.stringify(content) ?? "");
  const isBase64 = /^image\/(?!svg)|^audio\/|^video\//.test(what);
  const bytes = isBase64 ? Math.floor((text.length * 3) / 4) : text.length;
  const size = formatBytes(bytes);
  return { kind: "note", level: "info", text: `[${what}, ${size}]` };
}

type Spec = Readonly<Record<string, unknown>>;

/** Describes a Vega-Lite specification, with its values as a table. */
function viewVegaLite(spec: Spec): readonly Block[] {
  const mark = isRecord(spec["mark"]) ? spec["mark"]["type"] : spec["mark"];
  const channels = isRecord(spec["encoding"]) ? Object.values(spec["encoding"]) : [];
  const fields = channels.flatMap((one) => (isRecord(one) ? [one["field"]] : []));
  const kind = typeof mark === "string" ? `, ${mark} of ${listed(fields)}` : "";
  const data = isRecord(spec["data"]) ? spec["data"]["values"] : undefined;
  return [heading("Vega-Lite chart", spec["title"], kind), ...viewRows(data)];
}

/** Describes a Plotly figure, with the points of its first trace as a table. */
function viewPlotly(spec: Spec): readonly Block[] {
  const traces = Array.isArray(spec["data"]) ? spec["data"].filter(isRecord) : [];
  const { layout } = spec;
  const title = isRecord(layout) ? layout["title"] : undefined;
  const kinds = traces.map((trace) => trace["name"] ?? trace["type"] ?? "scatter");
  const [first] = traces;
  return [
    heading("Plotly chart", title, `, ${listed(kinds)}`),
    ...viewRows(first && pointsOf(first)),
  ];
}

function heading(what: string, title: unknown, details: string): Block {
  const text = isRecord(title) ? title["text"] : title;
  const named = typeof text === "string" ? ` "${text}"` : "";
  return { kind: "note", level: "info", text: `${what}${named}${details}` };
}

function listed(names: readonly unknown[]): string {
  const texts = names.filter((name): name is string => typeof name === "string");
  return texts.length === 0 ? "data" : texts.slice(0, 8).join(", ");
}

function pointsOf({ x, y, labels, values }: Spec): unknown {
  const [across, up] = Array.isArray(labels) ? [labels, values] : [x, y];
  if (!Array.isArray(across) || !Array.isArray(up)) return undefined;
  return across.map((one, at) => ({ x: one, y: up[at] }));
}

function viewRows(rows: unknown): readonly Block[] {
  return Array.isArray(rows) && rows.length > 0 ? [viewStructure(rows, createViewContext())] : [];
}
