import { shorten } from "../../lib/interpolation/mod.ts";
import { startsAsRequest } from "../../lib/request/mod.ts";
import { createCellIds, ipynbParts, type Output, renderCell } from "../run/mod.ts";
import {
  type Collection,
  type Example,
  type ImportedRequest,
  type ImportRemark,
  type Item,
  oneLine,
  plainText,
  requestsOf,
  type SourceCell,
  toIdentifier,
  uniqueName,
} from "./collection.ts";
import { importedNames, markSource } from "./merge-document.ts";
import { writeComment, writeRequest, writeText } from "./write-request.ts";

/** What is written: a notebook, a file of requests, or a folder with a notebook for each folder of the source. */
export type TargetKind = "ipynb" | "http" | "folder";

/** A file to write, by its path below the folder of the target. */
export interface OutputFile {
  readonly path: string;
  /** In pieces: together they may be large. */
  readonly content: readonly Uint8Array[];
}

/** The files of a collection, and what a report says about them. */
export interface WrittenFiles {
  readonly files: readonly OutputFile[];
  readonly remarks: readonly ImportRemark[];
  /** Variables without a value, which a person has to fill in. */
  readonly missing: readonly string[];
}

export const PUBLIC_FILE = "http-client.env.json";
/** The table of contents of a folder. */
export const CONTENTS_FILE = "README.md";
export const PRIVATE_FILE = "http-client.private.env.json";

/**
 * Renders a collection as files.
 *
 * @param name The name of the document, such as `petstore.ipynb`; the documents of a folder have names of their own.
 * @param textOf The text of a document that is there: its requests keep their names.
 */
export function writeFiles(
  collection: Collection,
  kind: TargetKind,
  name: string,
  textOf: ExistingText = () => undefined,
): WrittenFiles {
  const remarks: ImportRemark[] = [...collection.remarks];
  const documents =
    kind === "folder"
      ? writeFolder(collection, remarks, textOf)
      : [writeDocument(collection, collection, name, remarks, textOf)];
  const bodies = [...(collection.files ?? [])].map(([path, body]) => ({ path, content: [body] }));
  return {
    files: [...documents, ...bodies, ...environmentFiles(collection)],
    remarks,
    missing: missingVariables(collection),
  };
}

/** The text of a file of the target, if it is there. */
export type ExistingText = (path: string) => string | undefined;

/** What a document has. */
type Content = Pick<Collection, "name" | "description" | "items">;

/** A document for each folder, one for the requests outside of folders, and a table of contents. */
function writeFolder(
  collection: Collection,
  remarks: ImportRemark[],
  textOf: ExistingText,
): readonly OutputFile[] {
  const loose = collection.items.filter(({ kind }) => kind !== "folder");
  const folders = collection.items.filter((item) => item.kind === "folder");
  const contents: readonly Content[] = [
    ...(loose.length === 0 ? [] : [{ ...collection, items: loose }]),
    ...folders.map(({ title, ...folder }) => ({ name: title, ...folder })),
  ];
  const taken = new Set<string>();
  const files = contents.map((content) => {
    const path = fileName(content.name, taken);
    return { content, file: writeDocument(collection, content, path, remarks, textOf) };
  });
  const lines = files.map(({ content, file }) => {
    const count = [...requestsOf(content.items)].length;
    return `- [${markdownText(content.name)}](${encodeURI(file.path)}): ${count} ${count === 1 ? "request" : "requests"}`;
  });
  const text = [
    `# ${markdownText(collection.name)}`,
    ...optional(collection.description),
    lines.join("\n"),
  ];
  return [
    ...files.map(({ file }) => file),
    { path: CONTENTS_FILE, content: [Buffer.from(`${text.join("\n\n")}\n`)] },
  ];
}

const optional = (text: string | undefined): readonly string[] =>
  text === undefined || text.trim() === "" ? [] : [text.trim()];

/** Names that Windows has for devices. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)$/i;

/** A name of a file from any text: it leads to no other folder, and differs from the others in any letter case. */
function fileName(title: string, taken: Set<string>): string {
  const words = toIdentifier(
    title.replace(/_/g, "-").replace(/[^\p{L}\p{M}\p{Nd}-]+/gu, "-"),
    "requests",
  );
  const name = uniqueName(DEVICE.test(words) ? `${words}_` : words.toLowerCase(), taken);
  taken.add(name);
  return `${name}.ipynb`;
}

/** A title in Markdown: none of its characters has a meaning. */
function markdownText(title: string): string {
  return oneLine(title)
    .trim()
    .replace(/[\\`*_{}[\]<>#|~$&]/g, "\\$&");
}

/** A cell, and the responses that the source has saved for it. */
interface Cell extends SourceCell {
  readonly examples?: readonly Example[] | undefined;
}

function writeDocument(
  { variables, environments }: Collection,
  content: Content,
  path: string,
  remarks: ImportRemark[],
  textOf: ExistingText,
): OutputFile {
  const isNotebook = isNotebookPath(path);
  const before = textOf(path) ?? "";
  const known = importedNames(before, isNotebook);
  const own = [...before.matchAll(NAMES)].map(([, name = ""]) => name);
  const all = [variables, ...environments.values()].flatMap((one) => [...one.keys()]);
  const names = new Set([...all, ...own]);
  const context = { isNotebook, names, known, keys: new Set<string>(), remarks };
  const cells = documentCells(content, context);
  const parts = isNotebook ? ipynbParts(notebookCells(cells), {}) : httpParts(cells, remarks);
  return { path, content: encode(parts) };
}

/** A source may have tens of thousands of requests: of their texts, only the bytes are kept. */
function encode(parts: Iterable<string>): readonly Uint8Array[] {
  const chunks: Uint8Array[] = [];
  let text = "";
  for (const part of parts) {
    text += part;
    if (text.length < CHUNK) continue;
    chunks.push(Buffer.from(text));
    text = "";
  }
  return [...chunks, Buffer.from(text)];
}

const CHUNK = 65_536;

/** The names of requests in a document, also in the JSON of a notebook. */
const NAMES = /# @name ([^\s"\\]+)/g;

/** Whether a path is that of a notebook. */
export function isNotebookPath(path: string): boolean {
  return /\.ipynb$/i.test(path);
}

interface Context {
  readonly isNotebook: boolean;
  /** Names that no further request may have. */
  readonly names: Set<string>;
  /** The names of requests that were imported before, by their keys. */
  readonly known: ReadonlyMap<string, string>;
  /** The keys of the requests so far. */
  readonly keys: Set<string>;
  readonly remarks: ImportRemark[];
}

/** A document that was read cell by cell begins with its own first cell. */
function* documentCells({ name, description, items }: Content, context: Context): Generator<Cell> {
  const isWhole = items.some(({ kind }) => kind === "cell");
  if (!isWhole) yield* headingCells(name, description, 1, context);
  yield* cellsOf(items, [], context);
}

function headingCells(
  title: string,
  description: string | undefined,
  level: number,
  { isNotebook }: Context,
): readonly Cell[] {
  if (isNotebook) {
    const source = [`${"#".repeat(level)} ${markdownText(title)}`, ...optional(description)];
    return [{ kind: "cell", type: "markdown", source: source.join("\n\n") }];
  }
  const lines = [title, ...optional(description)].flatMap(writeComment);
  return [{ kind: "cell", type: "code", source: lines.join("\n") }];
}

/** @param folders The titles of the folders that the items are in. */
function* cellsOf(
  items: readonly Item[],
  folders: readonly string[],
  context: Context,
): Generator<Cell> {
  for (const item of items) {
    if (item.kind === "cell") yield item;
    else if (item.kind === "request") yield* requestCells(item, folders, context);
    else {
      const { title, description } = item;
      yield* headingCells(title, description, Math.min(folders.length + 2, 5), context);
      yield* cellsOf(item.items, [...folders, title], context);
    }
  }
}

function* requestCells(
  request: ImportedRequest,
  folders: readonly string[],
  context: Context,
): Generator<Cell> {
  const { title, description, examples, id = title } = request;
  const path = [...folders, id].map((one) => toIdentifier(one, "request"));
  const key = uniqueName(path.join("/"), context.keys);
  context.keys.add(key);
  const name = context.known.get(key) || uniqueName(path.at(-1) ?? "", context.names);
  context.names.add(name);
  const headings = context.isNotebook
    ? headingCells(title, description, Math.min(folders.length + 3, 6), context)
    : [];
  yield* headings;
  const own = context.isNotebook ? { ...request, description: undefined } : request;
  const written = writeRequest(own, name);
  const source = written ?? leftOut(own, context.remarks);
  const heading = oneLine(title)
    .replace(/^[\s#@]+/, "")
    .trim();
  if (!context.isNotebook) {
    yield {
      kind: "cell",
      type: "code",
      source: markSource(`### ${heading}\n${source}`, { name, key }),
    };
  } else if (written === undefined) yield { kind: "cell", type: "markdown", source };
  else {
    const [above] = headings.map((cell) => cell.source);
    yield {
      kind: "cell",
      type: "code",
      source: markSource(source, { name, key }, above),
      examples,
    };
  }
}

/** The comment in place of a request that request text cannot say. */
function leftOut({ method, url, where }: ImportedRequest, remarks: ImportRemark[]): string {
  const line = oneLine(`${method} ${plainText(url)}`);
  remarks.push({
    kind: "left out",
    where,
    message: `Request text cannot express this request: ${shorten(line, 80)}`,
  });
  return writeComment(`Left out: ${line}`).join("\n");
}

/** The cells as a file of requests. */
function* httpParts(cells: Iterable<Cell>, remarks: ImportRemark[]): Generator<string> {
  let count = 0;
  let end: string | undefined;
  for (const { type, source, before, after = "\n" } of cells) {
    count += 1;
    if (type === "code" && !startsAsRequest(source) && !isComment(source)) {
      const message = "A file of requests cannot contain this cell of TypeScript";
      remarks.push({ kind: "left out", where: `cell ${count}`, message });
      continue;
    }
    const text =
      type === "markdown" ? writeComment(source).join("\n") : source.replace(HTTP_MARK, "");
    const usual = text.startsWith("###") ? "\n\n" : "\n\n###\n";
    yield `${before ?? (end === undefined ? "" : usual)}${text}`;
    end = after;
  }
  yield end ?? "\n";
}

/** Marks a cell of a notebook as request text where its first line does not. */
export const HTTP_MARK: RegExp = /^%%http\n/;

function isComment(source: string): boolean {
  return source.split("\n").every((line) => /^\s*(?:#|\/\/|$)/.test(line));
}

function* notebookCells(cells: Iterable<Cell>): Generator<object> {
  const idOf = createCellIds();
  let count = 0;
  for (const { type, source, examples = [], before, after } of cells) {
    const isUsual = before === undefined && after === undefined;
    const metadata = isUsual ? {} : { restlab: { before, after } };
    const run = { count: null, outputs: examples.map(toOutput) };
    yield renderCell({ type, id: idOf(undefined, count++), source, metadata }, run);
  }
}

function toOutput({ name, status, statusText, headers, body }: Example): Output {
  const head = [`${status} ${statusText}`.trim(), ...headers.map((pair) => pair.join(": "))];
  const text = `${name}\n\n${head.join("\n")}\n\n${body}`;
  return { output_type: "display_data", data: { "text/plain": text }, metadata: {} };
}

/** The values of all variables: those that are secret in a file that is not committed. */
function environmentFiles({ variables, environments }: Collection): readonly OutputFile[] {
  const all = new Map([["$shared", variables], ...environments]);
  return [PUBLIC_FILE, PRIVATE_FILE].flatMap((path) => {
    const entries = [...all].flatMap(([name, settings]) => {
      const own = [...settings].flatMap(([key, { value, secret }]) =>
        value === undefined || secret !== (path === PRIVATE_FILE)
          ? []
          : [[key, writeText(value)] as const],
      );
      // An environment without variables can be chosen as well.
      const isEmpty = own.length === 0 && (path === PRIVATE_FILE || name === "$shared");
      return isEmpty ? [] : [[name, Object.fromEntries(own)] as const];
    });
    const content = Buffer.from(`${JSON.stringify(Object.fromEntries(entries), null, 2)}\n`);
    return entries.length === 0 ? [] : [{ path, content: [content] }];
  });
}

/** The variables of the requests that nothing sets. */
function missingVariables({ items, variables, environments }: Collection): readonly string[] {
  const all = [variables, ...environments.values()].flatMap((one) => [...one]);
  const known = new Set(all.flatMap(([name, { value }]) => (value === undefined ? [] : [name])));
  // Credentials name some of their variables in no placeholder.
  const used = new Set(all.map(([name]) => name));
  for (const { url, query, headers, body, settings = [], captures = [] } of requestsOf(items)) {
    for (const [name] of [...settings, ...captures]) known.add(name);
    const rows = [...query, ...headers].filter(({ disabled }) => !disabled);
    const values = [url, ...rows.map(({ value }) => value), ...settings.map(([, value]) => value)];
    const texts =
      body?.kind === "graphql" ? [body.query, body.variables ?? []] : [body?.pieces ?? []];
    for (const part of [...values, ...texts].flat()) {
      if (typeof part === "object" && "variable" in part) used.add(part.variable.replace(/^%/, ""));
    }
  }
  // A generated value, and a part of a response or of a variable, are no variables.
  return [...used].filter((name) => !/^\$|[.[]/.test(name) && !known.has(name));
}
