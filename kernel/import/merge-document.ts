import { createHash } from "node:crypto";
import { isRecord } from "../../lib/interpolation/mod.ts";
import { uniqueName } from "./collection.ts";
import { sectionsOf } from "./read-documents.ts";

/** What became of the requests of a document that was imported again, by their keys. */
export interface Merge {
  readonly content: string;
  readonly new: readonly string[];
  readonly updated: readonly string[];
  /** Changed by a person, while the source has changed too: they stay. */
  readonly kept: readonly string[];
  /** No longer in the source: they stay. */
  readonly gone: readonly string[];
}

/**
 * Writes into a request where it comes from: `# @source KEY DIGEST`, below its name. A later import finds it by the
 * key, and sees by the digest whether a person has changed it.
 *
 * @param request Request text with a line `# @name NAME`.
 * @param key Folders and title in the source, such as `users/list`: the same at each import.
 * @param heading The text of the Markdown above it in a notebook.
 */
export function markSource(
  request: string,
  { name, key }: { readonly name: string; readonly key: string },
  heading?: string,
): string {
  const line = `# @name ${name}\n`;
  return request.replace(line, () => `${line}# @source ${key} ${digestOf(heading, request)}\n`);
}

/**
 * Merges a document that is imported again into the one that is there. What a person changed stays; the other
 * requests become what the source says now; new ones come below those that they follow in the source.
 *
 * @param before The text of the document that is there.
 * @param after The text of the document as the source says it now.
 * @returns `undefined` if no request of `before` says where it comes from: a person wrote it.
 * @throws {SyntaxError} `before` is to be a notebook and is not JSON.
 */
export function mergeDocument(
  before: string,
  after: string,
  isNotebook: boolean,
): Merge | undefined {
  const [split, join] = isNotebook ? [splitNotebook, joinNotebook] : [splitHttp, joinHttp];
  const blocks = split(before);
  const known = byKey(blocks);
  if (known.size === 0) return undefined;
  const lineEnd = !isNotebook && before.includes("\r\n") ? "\r\n" : "\n";
  const fresh = split(after.replaceAll("\n", lineEnd));
  const wanted = byKey(fresh);
  const updated: string[] = [];
  const kept: string[] = [];
  const gone: string[] = [];
  const changed = new Map<Block, Block>();
  for (const [key, block] of known) {
    const now = wanted.get(key);
    if (now === undefined) gone.push(key);
    else if (now.written === block.written) continue;
    else if (block.digest !== block.written && block.digest !== now.digest) kept.push(key);
    else {
      updated.push(key);
      changed.set(block, { ...now, parts: replaceParts(block.parts, now.parts) });
    }
  }
  const followers = followersOf(fresh, blocks, known);
  const added = [...followers.values()].flat().flatMap(({ key }) => key ?? []);
  const merged = blocks.flatMap((block) =>
    insertBelow(changed.get(block) ?? block, followers.get(block) ?? [], lineEnd),
  );
  const isSame = updated.length + added.length === 0;
  const content = isSame
    ? before
    : join(
        merged.flatMap(({ parts }) => parts),
        before,
      );
  return { content, new: added, updated, kept, gone };
}

/** The names that imported requests have in a document, by their keys; none if it cannot be read. */
export function importedNames(text: string, isNotebook: boolean): ReadonlyMap<string, string> {
  try {
    const blocks = byKey((isNotebook ? splitNotebook : splitHttp)(text));
    return new Map([...blocks].map(([key, block]) => [key, NAME.exec(textOf(block))?.[1] ?? ""]));
  } catch {
    return new Map(); // Merging says what is wrong.
  }
}

const NAME = /^# @name (\S+)/m;

/**
 * Merges the table of contents of a folder: its lines about documents are new, the others stay.
 *
 * @returns `undefined` if `before` has no such line: a person wrote it.
 */
export function mergeContents(before: string, after: string): string | undefined {
  const lines = before.split("\n");
  if (!lines.some((line) => DOCUMENT.test(line))) return undefined;
  let below = lines.findLastIndex((line) => DOCUMENT.test(line)) + 1;
  for (const line of after.split("\n")) {
    const [, path] = DOCUMENT.exec(line) ?? [];
    if (path === undefined) continue;
    const at = lines.findIndex((one) => DOCUMENT.exec(one)?.[1] === path);
    if (at === -1) lines.splice(below++, 0, line);
    else lines[at] = line;
  }
  return lines.join("\n");
}

const DOCUMENT = /^- \[.*\]\(([^()]+)\): \d+ requests?$/;

/** A part of a document: a cell of a notebook as its JSON is, or a section of a file of requests. */
interface Part {
  readonly text: string;
  /** The blank lines below a section. */
  readonly gap?: string;
  readonly cell?: Readonly<Record<string, unknown>>;
  /** Whether the cell was not there before. */
  readonly isNew?: boolean;
}

/** A request with its heading, or another part. */
interface Block {
  readonly parts: readonly Part[];
  readonly key?: string | undefined;
  /** The digest that its mark has. */
  readonly written?: string | undefined;
  /** The digest of what stands there. */
  readonly digest?: string;
}

const MARK = /^# @source (\S+) ([0-9a-f]{8})[^\S\n]*\n/m;

/** The digest of a request and its heading, without its mark and whatever the line ends are. */
function digestOf(...texts: readonly (string | undefined)[]): string {
  const text = texts.filter((one) => one !== undefined).join("\n");
  return createHash("sha256").update(text.trimEnd()).digest("hex").slice(0, 8);
}

function toBlock(parts: readonly Part[]): Block {
  const texts = parts.map(({ text }) => text.replaceAll("\r\n", "\n"));
  const [, key, written] = MARK.exec(texts.at(-1) ?? "") ?? [];
  if (key === undefined) return { parts };
  return { parts, key, written, digest: digestOf(...texts.map((text) => text.replace(MARK, ""))) };
}

/** The first block of each key: the others are copies of a person. */
function byKey(blocks: readonly Block[]): ReadonlyMap<string, Block> {
  const found = new Map<string, Block>();
  for (const block of blocks) {
    if (block.key !== undefined && !found.has(block.key)) found.set(block.key, block);
  }
  return found;
}

/** The new blocks by the block below which they belong, with the headings of new folders. */
function followersOf(
  fresh: readonly Block[],
  blocks: readonly Block[],
  known: ReadonlyMap<string, Block>,
): ReadonlyMap<Block, readonly Block[]> {
  const places = new Map(blocks.map((block, index) => [block, index]));
  const alike = new Map<string, Block[]>();
  for (const block of blocks) append(alike, textOf(block), [block]);
  const followers = new Map<Block, Block[]>();
  let above = known.values().next().value as Block;
  let at = -1;
  let news: Block[] = [];
  for (const block of fresh) {
    const there =
      block.key === undefined
        ? alike.get(textOf(block))?.find((one) => (places.get(one) ?? 0) > at)
        : known.get(block.key);
    if (there !== undefined) {
      above = there;
      at = places.get(there) ?? at;
      news = [];
      continue;
    }
    news.push(toNew(block));
    if (block.key === undefined) continue;
    append(followers, above, news);
    news = [];
  }
  return followers;
}

function append<Key>(lists: Map<Key, Block[]>, key: Key, blocks: readonly Block[]): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [...blocks]);
  else list.push(...blocks);
}

const toNew = ({ parts, ...rest }: Block): Block => ({
  ...rest,
  parts: parts.map((part) => ({ ...part, isNew: true })),
});

const textOf = ({ parts }: Block): string => parts.map(({ text }) => text).join("\n");

function splitHttp(text: string): readonly Block[] {
  return sectionsOf(text).map((section) => {
    const own = section.trimEnd();
    return toBlock([{ text: own, gap: section.slice(own.length) }]);
  });
}

function joinHttp(parts: readonly Part[]): string {
  return parts.map(({ text, gap = "" }) => text + gap).join("");
}

function splitNotebook(text: string): readonly Block[] {
  const blocks: Block[] = [];
  for (const cell of cellsOf(JSON.parse(text))) {
    const { source } = cell;
    const part = { text: Array.isArray(source) ? source.join("") : String(source ?? ""), cell };
    const above = blocks.at(-1);
    const isHeaded =
      above?.key === undefined && above?.parts[0]?.cell?.["cell_type"] === "markdown";
    const headed =
      isHeaded && cell["cell_type"] === "code" ? toBlock([...above.parts, part]) : undefined;
    if (headed?.key === undefined) blocks.push(toBlock([part]));
    else blocks.splice(-1, 1, headed);
  }
  return blocks;
}

function cellsOf(notebook: unknown): readonly Readonly<Record<string, unknown>>[] {
  const cells = isRecord(notebook) ? notebook["cells"] : undefined;
  return Array.isArray(cells) ? cells.filter(isRecord) : [];
}

/** Everything else of a notebook stays; new cells get ids that no other has. */
function joinNotebook(parts: readonly Part[], before: string): string {
  const notebook = JSON.parse(before) as Readonly<Record<string, unknown>>;
  const taken = new Set(cellsOf(notebook).map(({ id }) => String(id)));
  const cells = parts.map(({ cell = {}, isNew }) => {
    if (isNew !== true) return cell;
    const id = uniqueName(String(cell["id"]), taken);
    taken.add(id);
    return { ...cell, id };
  });
  return `${JSON.stringify({ ...notebook, cells }, null, 1)}\n`;
}

/** The parts of a request as the source says it now: the id and the metadata of a cell stay, as do blank lines. */
function replaceParts(before: readonly Part[], now: readonly Part[]): readonly Part[] {
  return now.map(({ text, cell }, index) => {
    const own = before[index];
    const { id, metadata } = own?.cell ?? {};
    return { ...own, text, ...(cell === undefined ? {} : { cell: { ...cell, id, metadata } }) };
  });
}

/** A block with new ones below it; what stood below it in a file stands below the last one. */
function insertBelow(block: Block, news: readonly Block[], lineEnd: string): readonly Block[] {
  const gap = block.parts.at(-1)?.gap;
  if (gap === undefined || news.length === 0) return [block, ...news];
  const usual = lineEnd.repeat(2);
  return [block, ...news].map(({ parts, ...rest }, index) => ({
    ...rest,
    parts: parts.map((part) => ({ ...part, gap: index === news.length ? gap : usual })),
  }));
}
