import { isRecord, memberOf } from "../../lib/interpolation/mod.ts";
import { isSecretName } from "../../lib/request/mod.ts";
import { formBody, multipartBody, type TypedBody, textBody, withoutComments } from "./bodies.ts";
import { BruError, parseBru } from "./bru.ts";
import { toAssertions, toCapture } from "./bruno-assertions.ts";
import {
  type BrunoEntry,
  type BrunoRow,
  entryOfBlocks,
  entryOfData,
  rowsOf,
} from "./bruno-entry.ts";
import {
  type CollectionBuilder,
  ImportError,
  type ImportedRequest,
  type Item,
  oneLine,
  plainText,
  type Row,
  readBraces,
  type Text,
} from "./collection.ts";
import { type CredentialRows, credentialRows, toCredential } from "./credentials.ts";
import { BRUNO, convertScripts, describeFolder } from "./postman-scripts.ts";
import { parseData } from "./read-data.ts";
import type { ReadContent, Source } from "./readers.ts";
import { headerRow, joinHeaders, namedFile, queryRow, readAddress, type Settings } from "./rows.ts";
import { listOf, scalarText, textOf } from "./values.ts";
import { readAssertion } from "./write-request.ts";

const FILE = /\.(?:bru|ya?ml)$/i;

/** Whether a source is a collection of Bruno: a folder, one of its files, or an OpenCollection. */
export function isBruno({ name, data, files }: Source): boolean {
  const isFolder = [...files.keys()].some((path) =>
    /(?:^|\/)(?:bruno\.json|opencollection\.ya?ml|[^/]+\.bru)$/.test(path),
  );
  if (data === undefined) return isFolder || /\.bru$/i.test(name);
  const type = memberOf(memberOf(data, "info"), "type");
  return (
    isOpenCollection(data) ||
    (/^(?:http|graphql|websocket)$/.test(String(type)) && isRecord(memberOf(data, String(type))))
  );
}

function isOpenCollection(data: unknown): boolean {
  return isRecord(data) && "opencollection" in data;
}

/** Reads a collection of Bruno. */
export function readBruno(source: Source, builder: CollectionBuilder): ReadContent {
  const reader = new BrunoReader(builder);
  const file = source.name.split(/[\\/]/).findLast((part) => /[^.]/.test(part)) ?? "Collection";
  const name = file.replace(FILE, "");
  if (isOpenCollection(source.data)) return reader.read(folderOfData(source.data, "$", name));
  const isFolder = source.files.size > 0;
  if (!isFolder && !FILE.test(file)) {
    throw new ImportError(`Reading "${source.name}" failed: it is no collection of Bruno`);
  }
  const files = isFolder ? source.files : new Map([[file, source.text || scalarText(source.data)]]);
  return reader.read(reader.folderOfFiles(treeOf(files), "", name, !isFolder));
}

/** A folder of Bruno, or a whole collection. */
interface BrunoFolder extends Place {
  readonly requests: readonly Place[];
  readonly folders: readonly BrunoFolder[];
  readonly environments: readonly Environment[];
}

/** A request or a folder, and where it stands. */
interface Place {
  readonly where: string;
  readonly title: string;
  readonly entry: BrunoEntry;
}

interface Environment {
  readonly name: string;
  readonly rows: readonly BrunoRow[];
}

/** The files of a folder by their names. */
interface Tree {
  readonly files: Map<string, string>;
  readonly folders: Map<string, Tree>;
}

function treeOf(files: ReadonlyMap<string, string>): Tree {
  const root: Tree = { files: new Map(), folders: new Map() };
  for (const [path, text] of files) {
    const names = path.split("/");
    const file = names.pop() ?? "";
    let tree = root;
    for (const name of names) {
      const inner = tree.folders.get(name) ?? { files: new Map(), folders: new Map() };
      tree.folders.set(name, inner);
      tree = inner;
    }
    tree.files.set(file, text);
  }
  return root;
}

/** The items of an OpenCollection in one document. */
function folderOfData(data: unknown, where: string, name: string): BrunoFolder {
  const entry = entryOfData(data);
  const items = listOf(memberOf(data, "items")).map((item, index) => ({
    item,
    where: `${where}.items[${index}]`,
  }));
  const isFolder = ({ item }: { readonly item: unknown }): boolean =>
    Array.isArray(memberOf(item, "items")) || memberOf(memberOf(item, "info"), "type") === "folder";
  const environments = listOf(
    memberOf(memberOf(data, "config"), "environments") ?? memberOf(data, "environments"),
  );
  return {
    where,
    title: entry.name ?? name,
    entry,
    requests: items
      .filter((one) => !isFolder(one))
      .map((one) => placeOf(entryOfData(one.item), one.where, "Request")),
    folders: items.filter(isFolder).map((one) => folderOfData(one.item, one.where, "Folder")),
    environments: environments.map((one) => environmentOf(one, "environment")),
  };
}

function placeOf(entry: BrunoEntry, where: string, name: string): Place {
  return { entry, where, title: entry.name ?? name };
}

function environmentOf(data: unknown, name: string): Environment {
  const rows = rowsOf(memberOf(data, "variables"));
  return { name: textOf(memberOf(data, "name")) ?? name, rows };
}

/** The files that say what a folder or a collection has. */
const ROOT = /^(?:(?:collection|folder)\.bru|(?:opencollection|folder)\.ya?ml)$/;
const COLLECTION = /^(?:bruno\.json|collection\.bru|opencollection\.ya?ml)$/;
const NAMED = /^(.+)\.(bru|ya?ml)$/i;
const EMPTY: BrunoEntry = entryOfBlocks([]);

/** What a folder hands down to its requests. */
interface Scope {
  readonly auth: BrunoEntry["auth"];
  readonly headers: readonly BrunoRow[];
  readonly variables: readonly BrunoRow[];
  readonly captures: readonly BrunoRow[];
}

const NO_REDIRECT: readonly [string, string] = ["no-redirect", ""];

class BrunoReader {
  readonly #builder: CollectionBuilder;
  /** The variables that the request and its folders set. */
  #own: ReadonlySet<string> = new Set();
  /** The variables of which others are made. */
  readonly #shared = new Set<string>();
  /** The variables that take a value of a response, which may be an object. */
  #captured: ReadonlySet<string> = new Set();

  constructor(builder: CollectionBuilder) {
    this.#builder = builder;
  }

  read(root: BrunoFolder): ReadContent {
    this.#captured = new Set(capturesIn(root));
    for (const row of root.entry.variables) {
      if (!row.disabled) this.#builder.set(row.name, this.#value(row));
    }
    const scope = inner({ auth: NO_AUTH, headers: [], variables: [], captures: [] }, root.entry);
    const items = this.#items(root, { ...scope, variables: [] });
    return { name: root.title, description: this.#describe(root), items };
  }

  /** Reads the files of a folder; one that cannot be read is left out. */
  folderOfFiles(tree: Tree, where: string, name: string, isYaml: boolean): BrunoFolder {
    const names = [...tree.files.keys()];
    const hasYaml = isYaml || names.some((one) => /^opencollection\.ya?ml$/.test(one));
    const path = (one: string): string => (where === "" ? one : `${where}/${one}`);
    const isCollection = where === "" || names.some((one) => COLLECTION.test(one));
    const about = names.find((one) => ROOT.test(one));
    const entry = (about === undefined ? undefined : this.#entry(tree, about, path)) ?? EMPTY;
    const requests = names.flatMap((one): readonly Place[] => {
      const [, stem = "", ending = ""] = NAMED.exec(one) ?? [];
      if (stem === "" || ROOT.test(one) || (ending !== "bru" && !hasYaml)) return [];
      const found = this.#entry(tree, one, path);
      return found === undefined ? [] : [placeOf(found, path(one), stem)];
    });
    const environments = isCollection ? tree.folders.get("environments") : undefined;
    const folders = [...tree.folders].filter(([, one]) => one !== environments);
    return {
      where,
      title: entry.name ?? this.#configuredName(tree) ?? name,
      entry,
      requests,
      folders: folders.map(([one, inside]) => this.folderOfFiles(inside, path(one), one, hasYaml)),
      environments: environments === undefined ? [] : this.#environments(environments, path),
    };
  }

  #configuredName({ files }: Tree): string | undefined {
    const text = files.get("bruno.json");
    const data =
      text === undefined
        ? undefined
        : this.#attempt("bruno.json", () => parseData(text, "bruno.json"));
    return textOf(memberOf(data, "name"));
  }

  #environments({ files }: Tree, path: (name: string) => string): readonly Environment[] {
    return [...files].flatMap(([name, text]): readonly Environment[] => {
      const [, stem = "", ending] = NAMED.exec(name) ?? [];
      const where = path(`environments/${name}`);
      if (stem === "") return [];
      const found = this.#attempt(where, (): Environment => {
        if (ending !== "bru") return environmentOf(parseData(text, name), stem);
        const blocks = parseBru(text);
        const pairs = (kind: string): readonly BrunoRow[] =>
          blocks.filter((one) => one.name === kind).flatMap((one) => one.pairs);
        const secrets = pairs("vars:secret").map((row) => ({ ...row, secret: true }));
        return { name: stem, rows: [...pairs("vars"), ...secrets] };
      });
      return found === undefined ? [] : [found];
    });
  }

  #entry({ files }: Tree, name: string, path: (name: string) => string): BrunoEntry | undefined {
    const text = files.get(name) ?? "";
    return this.#attempt(path(name), () =>
      name.endsWith(".bru") ? entryOfBlocks(parseBru(text)) : entryOfData(parseData(text, name)),
    );
  }

  #attempt<T>(where: string, read: () => T): T | undefined {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof BruError) && !(error instanceof ImportError)) throw error;
      this.#builder.remark("left out", where, `It cannot be read: ${error.message}`);
      return undefined;
    }
  }

  #items(folder: BrunoFolder, scope: Scope): readonly Item[] {
    for (const environment of folder.environments) this.#environment(environment);
    const requests = folder.requests
      .toSorted((one, other) => (one.entry.seq ?? 1) - (other.entry.seq ?? 1))
      .flatMap((one) => this.#request(one, scope));
    const folders = inOrder(folder.folders).flatMap((one): readonly Item[] => {
      const items = this.#items(one, inner(scope, one.entry));
      if (items.length === 0) return [];
      return [{ kind: "folder", title: one.title, description: this.#describe(one), items }];
    });
    return [...requests, ...folders];
  }

  #describe({ entry, where }: BrunoFolder): string | undefined {
    const scripts = entry.scripts.filter(({ text }) => text.trim() !== "");
    return describeFolder(entry.docs, scripts, where || "collection", this.#builder);
  }

  #environment({ name, rows }: Environment): void {
    const target = this.#builder.environment(name);
    this.#own = new Set();
    for (const row of rows) {
      if (!isSet(row)) continue;
      const secret = row.secret === true || isSecretName(row.name);
      const value = row.secret === true ? undefined : this.#value(row);
      target.set(this.#builder.nameOf(row.name), { value, secret });
    }
  }

  /** The value of a variable; one that is empty, or made of itself, has to be filled in. */
  #value({ name, value }: BrunoRow): Text | undefined {
    const text = this.#text(value);
    for (const [, used = ""] of value.matchAll(/\{\{([^{}]+)\}\}/g)) this.#shared.add(used.trim());
    const own = this.#builder.nameOf(name);
    const isOwn = text.some((part) => typeof part === "object" && part.variable === own);
    return isOwn || plainText(text) === "" ? undefined : text;
  }

  /** A variable of the process is one that a person has to fill in: a source reads nothing of the machine. */
  #text(text: string): Text {
    const nameOf = (name: string): string =>
      name.startsWith(PROCESS)
        ? this.#builder.set(name.slice(PROCESS.length), undefined)
        : this.#nameOf(name);
    return readBraces(text, { nameOf });
  }

  /** Since a variable line holds for the requests below it as well, what a request sets has a name of its own. */
  #nameOf(name: string): string {
    const isOwn = this.#own.has(name);
    const [, captured = "", path = ""] = /^([\w-]+)((?:\.[\w-]+|\[\d+\])+)$/.exec(name) ?? [];
    if (!isOwn && this.#captured.has(captured)) return `${this.#builder.nameOf(captured)}${path}`;
    return this.#builder.nameOf(name, isOwn && !this.#shared.has(name) ? "request" : "collection");
  }

  #request({ entry, where, title }: Place, scope: Scope): readonly ImportedRequest[] {
    const problem =
      entry.kind === "grpc"
        ? "Requests of gRPC are not supported"
        : entry.url === "" && entry.method === ""
          ? "It has no request"
          : undefined;
    if (problem !== undefined) {
      this.#builder.remark("left out", where, problem);
      return [];
    }
    const set = [...scope.variables, ...entry.variables].filter(isSet);
    this.#own = new Set(set.map(({ name }) => name));
    if (entry.hasExamples) this.#builder.remark("left out", where, "Its saved responses");
    const comments: string[] = [];
    const address: Settings = [];
    const rows = this.#credentials(entry.auth.mode === "inherit" ? scope.auth : entry.auth, where);
    const body = this.#body(entry, comments, where);
    const checks = this.#assertions(entry, comments, where);
    const captures = this.#captures([...scope.captures, ...entry.captures], comments, where);
    const scripts = entry.scripts.filter(({ text }) => text.trim() !== "");
    const script = convertScripts(scripts, where, this.#builder, BRUNO);
    const sent = {
      ...this.#target(entry, address),
      headers: joinHeaders(this.#headers(entry, scope, where), body, rows.headers, this.#builder),
      body: body?.body,
      assertions: [
        ...checks,
        ...script.assertions.filter((one) => readAssertion(one) !== undefined),
      ],
    };
    const settings = [...this.#settings(entry, scope, sent), ...address, ...script.settings];
    return [
      {
        kind: "request",
        title,
        where,
        description: entry.docs,
        comments: [...comments, ...script.comments],
        annotations: annotationsOf(entry),
        settings,
        method: entry.kind === "ws" ? "WEBSOCKET" : entry.method.trim().toUpperCase() || "GET",
        ...sent,
        query: [...sent.query, ...rows.query],
        captures: [...captures, ...script.captures],
      },
    ];
  }

  /** The query is that of the URL: Bruno sends no others. Those that are disabled stand in the list alone. */
  #target(entry: BrunoEntry, settings: Settings): Pick<ImportedRequest, "url" | "query"> {
    const read = (text: string): Text => this.#text(text);
    const row = (key: string, value: string | undefined, disabled: boolean): Row =>
      queryRow(key, value, disabled, read, this.#builder);
    const lines = entry.url.split("\n").map((line) => line.trim());
    const [bare = ""] = lines.join("").split("#", 1);
    const at = bare.search(/(?<!\{\{)\?/);
    const base = at === -1 ? bare : bare.slice(0, at);
    const pairs = at === -1 ? [] : bare.slice(at + 1).split("&");
    const own = pairs.filter(Boolean).map((pair) => {
      const [key = "", ...value] = pair.split("=");
      return row(key, value.length === 0 ? undefined : value.join("="), false);
    });
    const listed = entry.query.filter(
      ({ name, disabled }) => name !== "" && (disabled || at === -1),
    );
    const pathValue = (name: string): string | undefined =>
      entry.path.find((one) => one.name === name && !one.disabled)?.value;
    return {
      url: readAddress(base, pathValue, settings, read, this.#builder),
      query: [...own, ...listed.map(({ name, value, disabled }) => row(name, value, disabled))],
    };
  }

  /** Of several headers with one name the innermost is sent. */
  #headers(entry: BrunoEntry, scope: Scope, where: string): readonly Row[] {
    const sent = new Map<string, BrunoRow>();
    for (const row of [...scope.headers, ...entry.headers])
      if (!row.disabled) sent.set(row.name, row);
    const all = [...sent.values(), ...entry.headers.filter(({ disabled }) => disabled)];
    return all.flatMap(({ name, value, disabled }) =>
      headerRow({ name, value: this.#text(value), disabled }, where, this.#builder),
    );
  }

  #body({ body, headers }: BrunoEntry, comments: string[], where: string): TypedBody | undefined {
    const { mode, text, variables, rows } = body;
    const enabled = rows.filter(({ disabled, name }) => !disabled && name !== "");
    for (const { name, value } of rows.filter(({ disabled }) => disabled)) {
      comments.push(`Disabled: ${name}=${value}`);
    }
    switch (mode) {
      case "none":
        return undefined;
      case "form-urlencoded":
        return enabled.length === 0
          ? undefined
          : formBody(enabled.map(({ name, value }) => [this.#text(name), this.#text(value)]));
      case "multipart-form": {
        const fields = enabled.flatMap(({ name, value, type, files }) => {
          const named = files?.map((path) => namedFile(path, where, this.#builder));
          const kind = type ?? (files === undefined ? undefined : OCTETS);
          return (named ?? [this.#text(value)]).map((one) => ({
            name: this.#text(name),
            value: one,
            ...(kind === undefined ? {} : { type: kind }),
          }));
        });
        if (fields.length === 0) return undefined;
        // A kind such as multipart/mixed stands in a header.
        const header = headers.findLast((one) => !one.disabled && /^content-type$/i.test(one.name));
        const [kind = "multipart/form-data"] = /^multipart\/[\w-]+/.exec(header?.value ?? "") ?? [];
        const { type, body: form } = multipartBody(fields);
        return { type: type.replace(/^[^;]*/, kind), body: form };
      }
      case "file": {
        const [path] = enabled[0]?.files ?? [];
        if (path === undefined) return undefined;
        const pieces = [namedFile(path, where, this.#builder)];
        return { type: enabled[0]?.type ?? OCTETS, body: { kind: "text", pieces } };
      }
      case "graphql": {
        if (text.trim() === "") return undefined;
        const given = variables.trim();
        const rest = given === "" || given === "{}" ? {} : { variables: this.#text(given) };
        const query = this.#text(text);
        return { type: "application/json", body: { kind: "graphql", query, ...rest } };
      }
      case "ws": {
        const messages = rows.map(({ value }) => value).join("\n===\n");
        return messages === "" ? undefined : textBody(this.#text(messages), "text/plain");
      }
      default: {
        const type = Object.hasOwn(TYPES, mode) ? TYPES[mode] : undefined;
        const sent = mode === "json" ? withoutComments(text) : text;
        if (type !== undefined)
          return sent.trim() === "" ? undefined : textBody(this.#text(sent), type);
        this.#builder.remark("left out", where, `The body "${mode}" is not known`);
        return undefined;
      }
    }
  }

  #credentials({ mode, fields }: BrunoEntry["auth"], where: string): CredentialRows {
    const none = { headers: [], query: [] };
    if (mode === "none" || mode === "inherit") return none;
    const credential = toCredential(mode, (key) => {
      const value = fields.get(key);
      return value === undefined || value === "" ? undefined : this.#text(value);
    });
    if (credential !== undefined) return credentialRows(credential, "auth", this.#builder);
    const message = `Credentials of the type "${mode}" are not supported`;
    this.#builder.remark("left out", where, message);
    return none;
  }

  #assertions({ assertions }: BrunoEntry, comments: string[], where: string): readonly Text[] {
    return assertions.flatMap((row) => {
      const found = row.disabled ? undefined : toAssertions(row, (text) => this.#text(text));
      return found ?? this.#comment("An assertion", row, comments, where);
    });
  }

  /** What has no equivalent stays as a comment. */
  #comment(what: string, row: BrunoRow, comments: string[], where: string): readonly [] {
    const line = oneLine(`${row.name}: ${row.value}`);
    const why = row.disabled ? "Disabled" : "Not converted";
    comments.push(`${why}, ${what.toLowerCase()} of Bruno: ${line}`);
    const message = `${what} has no equivalent: ${line}`;
    if (!row.disabled) this.#builder.remark("left out", where, message);
    return [];
  }

  #captures(
    rows: readonly BrunoRow[],
    comments: string[],
    where: string,
  ): readonly (readonly [string, string])[] {
    return rows.flatMap((row): readonly (readonly [string, string])[] => {
      const path = row.disabled ? undefined : toCapture(row.value);
      if (path !== undefined) return [[this.#builder.nameOf(row.name), path]];
      return this.#comment("A variable", row, comments, where);
    });
  }

  /** The variables of the request, and those of its folders that it uses. */
  #settings(entry: BrunoEntry, scope: Scope, sent: object): Settings {
    const own = entry.variables.filter(isSet);
    const names = new Set(own.map(({ name }) => this.#nameOf(name)));
    const rows = scope.variables.filter(isSet).filter(({ name }) => !names.has(this.#nameOf(name)));
    const lines = new Map(
      [...rows, ...own].map(({ name, value }) => [this.#nameOf(name), this.#text(value)] as const),
    );
    const used = this.#namesIn(sent);
    const kept: Settings = [];
    // The value of a variable is made of those above it.
    for (const [name, value] of [...lines].reverse()) {
      if (!names.has(name) && !used.has(name)) continue;
      for (const one of this.#namesIn(value)) used.add(one);
      kept.push([name, value]);
    }
    return kept.reverse();
  }

  /** The names of the variables in a value, and in their own values in the environments. */
  #namesIn(value: object): Set<string> {
    const names = new Set(variablesIn(value));
    const { variables, environments } = this.#builder;
    // A set has the names that are added meanwhile as well.
    for (const name of names) {
      for (const settings of [variables, ...environments.values()]) {
        for (const one of variablesIn(settings.get(name)?.value)) names.add(one);
      }
    }
    return names;
  }
}

const PROCESS = "process.env.";
const OCTETS = "application/octet-stream";
const NO_AUTH: BrunoEntry["auth"] = { mode: "none", fields: new Map() };

const TYPES: Readonly<Record<string, string>> = {
  json: "application/json",
  text: "text/plain",
  xml: "application/xml",
  sparql: "application/sparql-query",
};

/** The names of the variables in texts, wherever they stand in a value. */
function variablesIn(value: unknown): readonly string[] {
  if (typeof value !== "object" || value === null) return [];
  if ("variable" in value) return [String(value.variable)];
  return Object.values(value).flatMap(variablesIn);
}

function capturesIn({ entry, requests, folders }: BrunoFolder): readonly string[] {
  const own = [entry, ...requests.map((one) => one.entry)].flatMap(({ captures }) => captures);
  return [...own.filter(isSet).map(({ name }) => name), ...folders.flatMap(capturesIn)];
}

function isSet({ name, disabled }: BrunoRow): boolean {
  return !disabled && name !== "";
}

function inner(scope: Scope, { auth, headers, variables, captures }: BrunoEntry): Scope {
  return {
    auth: auth.mode === "none" || auth.mode === "inherit" ? scope.auth : auth,
    headers: [...scope.headers, ...headers],
    variables: [...scope.variables, ...variables],
    captures: [...scope.captures, ...captures],
  };
}

/** Folders by their names; one with a number has this place among them. */
function inOrder(folders: readonly BrunoFolder[]): readonly BrunoFolder[] {
  const byName = folders.toSorted((one, other) => one.title.localeCompare(other.title, "en"));
  const places: BrunoFolder[][] = [];
  const numbered = new Map<number, BrunoFolder[]>();
  for (const folder of byName) {
    const { seq } = folder.entry;
    if (seq === undefined || seq < 1) places.push([folder]);
    else numbered.set(seq, [...(numbered.get(seq) ?? []), folder]);
  }
  for (const [seq, group] of [...numbered].sort(([one], [other]) => one - other)) {
    places.splice(seq - 1, 0, group);
  }
  return places.flat();
}

/** What Bruno writes into each request. */
const USUAL_REDIRECTS = "5";

function annotationsOf({ settings, tags }: BrunoEntry): ImportedRequest["annotations"] {
  const words = tags.map((tag) => oneLine(tag).replace(/[\s,]+/g, "-")).filter(Boolean);
  const timeout = Number(settings.get("timeout"));
  const most = settings.get("maxRedirects") ?? "";
  const follows = settings.get("followRedirects") !== "false" && most !== "0";
  const isLimited = follows && most !== USUAL_REDIRECTS && /^\d{1,3}$/.test(most);
  return [
    ...(words.length === 0 ? [] : [["tag", words.join(", ")] as const]),
    ...(follows ? [] : [NO_REDIRECT]),
    ...(isLimited ? [["max-redirects", most] as const] : []),
    ...(timeout > 0 && timeout < 1e9 ? [["timeout", `${timeout} ms`] as const] : []),
  ];
}
