/** A line `name: value` of a block. */
export interface BruPair {
  readonly name: string;
  readonly value: string;
  /** It begins with `~`. */
  readonly disabled: boolean;
  /** The items of a value that is a list. */
  readonly items?: readonly string[];
}

/** A block of a `.bru` file: text, or pairs. */
export interface BruBlock {
  /** Such as `get`, `body:json` or `vars:secret`. */
  readonly name: string;
  readonly text: string;
  readonly pairs: readonly BruPair[];
}

/** A text that is not that of a `.bru` file; the message says in which line. */
export class BruError extends Error {
  override readonly name = "BruError";
}

/** What has been read, and the line after it. */
type Read<T> = readonly [found: T, next: number];

/** Blocks of text; all others have pairs. */
const TEXT =
  /^(?:body(?::(?:json|text|xml|sparql|graphql|graphql:vars))?|script:[a-z-]+|tests|docs|example)$/;

/**
 * Parses the text of a `.bru` file, line by line.
 *
 * @throws {BruError} A block has no end, or a line is neither a block nor a pair.
 */
export function parseBru(source: string): readonly BruBlock[] {
  const lines = source.replace(/^\uFEFF/, "").split(/\r\n?|\n/);
  const blocks: BruBlock[] = [];
  let at = 0;
  while (at < lines.length) {
    const line = lines[at] ?? "";
    // The color of an environment is no block.
    if (line.trim() === "" || line.startsWith("color:")) {
      at += 1;
      continue;
    }
    const [, name, bracket, rest = ""] = /^\s*([^\s{}[\]]+)[ \t]*([{[])(.*)$/.exec(line) ?? [];
    if (name === undefined) throw fault(at, "it is no block");
    const [block, next] =
      bracket === "["
        ? readNames(lines, at, rest)
        : TEXT.test(name)
          ? readText(lines, at, rest)
          : readPairs(lines, at, rest);
    blocks.push({ name, text: "", pairs: [], ...block });
    at = next;
  }
  return blocks;
}

function fault(at: number, problem: string): BruError {
  return new BruError(`line ${at + 1}: ${problem}`);
}

/** A block ends at the first line that begins with its brace. */
function afterBlock(lines: readonly string[], at: number): number {
  const rest = lines[at]?.slice(1).trim();
  if (rest !== "") throw fault(at, "something stands after the end of a block");
  return at + 1;
}

/** The text of a block: its lines are indented by two blanks. */
function readText(lines: readonly string[], start: number, rest: string): Read<{ text: string }> {
  let end = start + 1;
  while (lines[end]?.startsWith("}") === false) end += 1;
  if (end === lines.length) throw fault(start, "the block has no end");
  const all = [rest, ...lines.slice(start + 1, end)];
  const first = all.findIndex((line, index) => (index === 0 ? line.trim() : line) !== "");
  const kept = first === -1 ? [] : all.slice(first);
  const text = kept.map((line) => (line.startsWith("  ") ? line.slice(2) : line)).join("\n");
  return [{ text }, afterBlock(lines, end)];
}

/** Names in brackets, each but the last with a comma. */
function readNames(
  lines: readonly string[],
  start: number,
  rest: string,
): Read<{ pairs: readonly BruPair[] }> {
  const names: string[] = [];
  let at = start;
  for (let line = rest; ; line = lines[at] ?? "") {
    const after = at === start ? undefined : afterAnnotation(lines, at);
    const end = line.indexOf("]");
    if (after === undefined) names.push(...(end === -1 ? line : line.slice(0, end)).split(","));
    at = after ?? at + 1;
    if (after === undefined && end !== -1) break;
    if (at >= lines.length) throw fault(start, "the list has no end");
  }
  const written = names.map((name) => name.trim()).filter((name) => name !== "");
  const pairs = written.map((name) => ({ ...withoutTilde(name), value: "" }));
  return [{ pairs }, at];
}

function readPairs(
  lines: readonly string[],
  start: number,
  rest: string,
): Read<{ pairs: readonly BruPair[] }> {
  const pairs: BruPair[] = [];
  if (rest.trim() === "}") return [{ pairs }, start + 1];
  let at = start + 1;
  if (rest.trim() !== "") pairs.push(readPair([rest], 0, start)[0]);
  for (;;) {
    const line = lines[at];
    if (line === undefined) throw fault(start, "the block has no end");
    if (line.startsWith("}")) return [{ pairs }, afterBlock(lines, at)];
    const after = line.trim() === "" ? at + 1 : afterAnnotation(lines, at);
    if (after === undefined) {
      const [pair, next] = readPair(lines, at, at);
      pairs.push(pair);
      at = next;
    } else at = after;
  }
}

function readPair(lines: readonly string[], at: number, shown: number): Read<BruPair> {
  const line = (lines[at] ?? "").trim();
  const key = keyOf(line);
  if (key === undefined) throw fault(shown, "it has no colon");
  const { name, disabled, end } = key;
  const value = line.slice(end + 1).trim();
  const [read, next] = readList(lines, at, value) ??
    readLines(lines, at, value) ?? [{ value }, at + 1];
  return [{ name, disabled, ...read }, next];
}

/** The key of a pair, which may be quoted, and where its colon is. */
function keyOf(
  line: string,
): { readonly name: string; readonly disabled: boolean; readonly end: number } | undefined {
  const start = line.startsWith("~") ? 1 : 0;
  if (line[start] === '"') {
    const quote = endOfQuote(line, start + 1);
    const end = quote === -1 ? -1 : line.indexOf(":", quote);
    if (end !== -1 && line.slice(quote + 1, end).trim() === "") {
      const name = line.slice(start + 1, quote).replaceAll('\\"', '"');
      return { name, disabled: start === 1, end };
    }
  }
  const end = line.indexOf(":");
  return end === -1 ? undefined : { ...withoutTilde(line.slice(0, end).trim()), end };
}

function endOfQuote(text: string, start: number): number {
  let end = text.indexOf('"', start);
  while (end !== -1 && text[end - 1] === "\\") end = text.indexOf('"', end + 1);
  return end;
}

function withoutTilde(name: string): Pick<BruPair, "name" | "disabled"> {
  const disabled = name.startsWith("~");
  return { name: disabled ? name.slice(1) : name, disabled };
}

/** A list has an item in each of its lines. */
function readList(
  lines: readonly string[],
  at: number,
  value: string,
): Read<Pick<BruPair, "value" | "items">> | undefined {
  if (value !== "[") return undefined;
  let end = at + 1;
  while (/^\s*(?:[\p{L}\p{N}_-]+\s*)?$/u.test(lines[end] ?? "[")) end += 1;
  if (lines[end]?.trim() !== "]") return undefined;
  const items = lines.slice(at + 1, end).map((line) => line.trim());
  return [{ value: "", items: items.filter((item) => item !== "") }, end + 1];
}

const QUOTES = "'''";

/** A value of several lines, which are indented by four blanks. */
function readLines(
  lines: readonly string[],
  at: number,
  value: string,
): Read<{ value: string }> | undefined {
  if (!value.startsWith(QUOTES)) return undefined;
  let end = at;
  let last = value.slice(QUOTES.length);
  const kept: string[] = [];
  while (!last.includes(QUOTES)) {
    kept.push(end === at ? last : last.slice(4));
    end += 1;
    const line = lines[end];
    if (line === undefined) return undefined;
    last = line;
  }
  const quotes = last.indexOf(QUOTES);
  kept.push(last.slice(end === at ? 0 : 4, quotes));
  const type = last.slice(quotes + QUOTES.length).trim();
  const text = kept.join("\n").trim();
  return [{ value: type.startsWith("@contentType(") ? `${text} ${type}` : text }, end + 1];
}

/** The line after an annotation such as `@description('text')`; `undefined` if there is none. */
function afterAnnotation(lines: readonly string[], at: number): number | undefined {
  const [whole, open = ""] = /^\s*@[^\s():]+(\(?)/.exec(lines[at] ?? "") ?? [];
  if (whole === undefined) return undefined;
  const rest = (lines[at] ?? "").slice(whole.length);
  if (open === "") return rest.trim() === "" ? at + 1 : undefined;
  const mark = [QUOTES, "'", '"'].find((one) => rest.startsWith(one)) ?? "";
  let line = rest.slice(mark.length);
  // Without quotes an argument ends in its line: otherwise each could be looked for in all lines below.
  const last = mark === "" ? at : lines.length - 1;
  for (let end = at; end <= last; end++) {
    if (end > at) line = lines[end] ?? "";
    const close = mark === '"' ? endOfQuote(line, 0) : line.indexOf(mark || ")");
    if (close === -1) continue;
    const after = line.slice(close + mark.length).trim();
    return after === ")" ? end + 1 : undefined;
  }
  return undefined;
}
