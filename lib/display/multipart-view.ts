import { isText, toBinary } from "../exchange/mod.ts";
import type { Block, Cell } from "./block.ts";
import { shortCell } from "./cell.ts";
import { decodeBinary, parameterOf } from "./disposition.ts";
import { type Body, shownText, viewText } from "./text-view.ts";
import { formatBytes, formatCount } from "./units.ts";
import type { ViewContext } from "./view-context.ts";

const BOUNDARY = /;\s*boundary\s*=\s*(?:"([^"]{1,200})"|([^\s;"]{1,200}))/i;

/** A longer body is shown as its text. */
const MAX_LENGTH = 2_000_000;
/** Parts within parts are shown up to this depth. */
const MAX_DEPTH = 5;
/** So many long parts can be unfolded. */
const MAX_FOLDS = 10;

/** A part, of which each character is a byte. */
interface Part {
  readonly headers: string;
  readonly content: string;
}

/** A part as it is shown. */
interface ShownPart {
  readonly name: string;
  readonly file: string;
  readonly type: string;
  readonly status: string;
  readonly headers: string;
  readonly size: string;
  /** Its text; `undefined` if it is binary. */
  readonly text: string | undefined;
}

const COLUMNS: readonly (readonly [title: string, text: (part: ShownPart) => string])[] = [
  ["name", ({ name }) => name],
  ["file", ({ file }) => file],
  ["type", ({ type }) => type],
  ["status", ({ status }) => status],
  ["headers", ({ headers }) => headers],
  ["size", ({ size }) => size],
  ["content", ({ text }) => text ?? "binary"],
];
/** They are shown even if all are empty. */
const ALWAYS = new Set(["name", "file", "type", "size", "content"]);

/** Displays the parts of a multipart body (RFC 2046, 5.1) as a table; its text if there are none. */
export function viewMultipart(body: Body, context: ViewContext): readonly Block[] {
  const boundary = boundaryOf(body.contentType);
  const isLong = body.content.length > MAX_LENGTH;
  const parts =
    boundary === undefined || isLong ? [] : split(toBinary(body.content.whole()), boundary, 1);
  if (parts.length === 0) {
    const reason =
      boundary === undefined
        ? "its Content-Type has no boundary"
        : isLong
          ? `it is longer than ${formatBytes(MAX_LENGTH)}`
          : `the boundary "${boundary}" does not occur in it`;
    const text = context.redactor.text(`The body cannot be divided into parts: ${reason}`);
    return [
      { kind: "note", level: isLong ? "info" : "warning", text },
      ...viewText(shownText(body, context), undefined, context),
    ];
  }
  const { limits, redactor } = context;
  const shown = parts.slice(0, limits.rows).map(show);
  const columns = COLUMNS.filter(
    ([title, text]) => ALWAYS.has(title) || shown.some((part) => text(part) !== ""),
  );
  const masked = (part: ShownPart, title: string, text: string): string =>
    title === "content" ? redactor.at(part.name).text(text) : redactor.text(text);
  const rows = shown.map((part) =>
    columns.map(([title, text]): Cell => {
      return shortCell("text", masked(part, title, text(part)), limits.cell);
    }),
  );
  const folds = shown.flatMap((part, at): Block[] => {
    if (part.text === undefined || part.text.length <= limits.cell) return [];
    const name = part.name === "" ? part.file : part.name;
    const title = `Part ${at + 1}${name === "" ? "" : `, ${redactor.text(name)}`} (${part.size})`;
    const text = redactor.at(part.name).text(part.text);
    const blocks = viewText(text.slice(0, limits.source), undefined, context);
    return [{ kind: "fold", title, blocks, isExtra: true }];
  });
  const table: Block = {
    kind: "table",
    columns: columns.map(([title]) => title),
    rows,
    total: parts.length,
    totalColumns: columns.length,
  };
  return [table, ...folds.slice(0, MAX_FOLDS)];
}

function boundaryOf(contentType: string): string | undefined {
  const found = BOUNDARY.exec(contentType);
  return found?.[1] ?? found?.[2];
}

/** The parts between the first boundary and the one that ends the body, each before the parts within it. */
function split(binary: string, boundary: string, depth: number): readonly Part[] {
  const pieces = `\n${binary}`.split(`\n--${boundary}`).slice(1);
  const end = pieces.findIndex((piece) => piece.startsWith("--"));
  return pieces.slice(0, end === -1 ? pieces.length : end).flatMap((piece) => {
    const part = parsePart(piece);
    const type = headerOf(part, "content-type") ?? "";
    const inner = /^multipart\//i.test(type) ? boundaryOf(type) : undefined;
    const nested =
      inner === undefined || depth >= MAX_DEPTH ? [] : split(part.content, inner, depth + 1);
    if (nested.length === 0) return [part];
    return [{ ...part, content: formatCount(nested.length, "part") }, ...nested];
  });
}

function parsePart(piece: string): Part {
  const lines = piece.replace(/^[ \t]*\r?\n/, "").replace(/\r$/, "");
  // A part without headers begins with a blank line.
  const end = /^\r?\n|\r?\n\r?\n/.exec(lines);
  if (end === null) return { headers: lines, content: "" };
  return { headers: lines.slice(0, end.index), content: lines.slice(end.index + end[0].length) };
}

/** The value of a header, unfolded. */
function headerOf({ headers }: Part, name: string): string | undefined {
  const line = new RegExp(`^${name}:[ \\t]*((?:.|\\r?\\n[ \\t])*)`, "im").exec(headers)?.[1];
  return line?.replace(/\s*\r?\n\s+/g, " ").trim();
}

function show(part: Part): ShownPart {
  const { content } = part;
  const type = headerOf(part, "content-type") ?? "";
  const disposition = headerOf(part, "content-disposition") ?? "";
  const others = part.headers
    .split(/\r?\n(?![ \t])/)
    .filter((line) => line !== "" && !/^content-(?:type|disposition)\s*:/i.test(line));
  const { text } = decodeBinary(content, type);
  return {
    name: parameterOf(disposition, "name"),
    file: parameterOf(disposition, "filename"),
    type: /^[^;]*/.exec(type)?.[0].trim() ?? "",
    status: /^HTTP\/\S+ (\d{3}[^\r\n]*)/.exec(content)?.[1] ?? "",
    headers: decodeBinary(others.join("; "), "").text,
    size: formatBytes(content.length),
    text: isText(text) ? text : undefined,
  };
}
