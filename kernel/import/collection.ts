import { isReachableName } from "../../lib/interpolation/mod.ts";
import { isSecretName } from "../../lib/request/mod.ts";

/** A value that is filled when a request is sent: what stands between `{{` and `}}`. */
export interface Variable {
  readonly variable: string;
}

/** Text with variables. What a source says is text and nothing else: the writers escape it. */
export type Text = readonly (string | Variable)[];

/** A row of a query or of the headers; a disabled one becomes a comment. */
export interface Row {
  /** The name of a header; of a query the whole `name=value` is in `value`. */
  readonly name: string;
  readonly value: Text;
  readonly disabled?: boolean;
}

/** A body: text with variables and files, or a GraphQL query. */
export type Body =
  | {
      readonly kind: "text";
      readonly pieces: readonly (Text[number] | { readonly file: string })[];
    }
  | { readonly kind: "graphql"; readonly query: Text; readonly variables?: Text };

/** A response that a source has saved. */
export interface Example {
  readonly name: string;
  readonly status: number;
  readonly statusText: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string;
}

/** A request of a source. */
export interface ImportedRequest {
  readonly kind: "request";
  readonly title: string;
  /** What `# @name` is made of; the title by default. */
  readonly id?: string;
  /** Where it stands in the source. */
  readonly where: string;
  /** Markdown. */
  readonly description?: string;
  /** Lines to keep as comments, such as scripts that cannot be converted. */
  readonly comments?: readonly string[];
  /** Annotations such as `["no-redirect", ""]`. */
  readonly annotations?: readonly (readonly [key: string, value: string])[];
  /** Variable lines above the request. */
  readonly settings?: readonly (readonly [name: string, value: Text])[];
  readonly method: string;
  /** Without the rows of its query; it begins with a scheme or a variable. */
  readonly url: Text;
  readonly query: readonly Row[];
  readonly headers: readonly Row[];
  readonly body?: Body;
  /** Assertions without `??`, such as `["status == 200"]`. */
  readonly assertions?: readonly Text[];
  /** Variables that take a value of the response, by its path: `response.body.token`. */
  readonly captures?: readonly (readonly [name: string, path: string])[];
  readonly examples?: readonly Example[];
}

/** A folder, or a tag. */
export interface Folder {
  readonly kind: "folder";
  readonly title: string;
  readonly description?: string;
  readonly items: readonly Item[];
}

/** A cell of a document that is written as it is. */
export interface SourceCell {
  readonly kind: "cell";
  readonly type: "code" | "markdown";
  readonly source: string;
  /** What stands between it and the cell before it in a file of requests, if it is not the usual. */
  readonly before?: string;
  /** What stands below the last one. */
  readonly after?: string;
}

export type Item = Folder | ImportedRequest | SourceCell;

/** A variable of an environment; without a value, a person has to fill it in. */
export interface Setting {
  readonly value?: Text;
  readonly secret: boolean;
}

/** What could not come as it was, and what became of a request that was imported before. */
export interface ImportRemark {
  readonly kind: "changed" | "left out" | "new" | "updated" | "kept" | "gone";
  /** A path in the source, such as `$.item[3].request`, or a line. */
  readonly where: string;
  readonly message: string;
}

/** Everything that a source says, in one model for all formats. */
export interface Collection {
  readonly name: string;
  readonly description?: string;
  readonly items: readonly Item[];
  /** Variables that every environment has. */
  readonly variables: ReadonlyMap<string, Setting>;
  readonly environments: ReadonlyMap<string, ReadonlyMap<string, Setting>>;
  readonly remarks: readonly ImportRemark[];
  /** Files of bodies, by their names. */
  readonly files?: ReadonlyMap<string, Uint8Array>;
}

/** A source that cannot be read; the message says where and why. */
export class ImportError extends Error {
  override readonly name = "ImportError";
}

/** What has a variable. */
type Owner = "collection" | "import" | "path" | "request";

/** Collects the variables and remarks of a source while it is read. */
export class CollectionBuilder {
  readonly variables: Map<string, Setting> = new Map();
  readonly environments: Map<string, Map<string, Setting>> = new Map();
  readonly remarks: ImportRemark[] = [];
  readonly files: Map<string, Uint8Array> = new Map();
  readonly #names = new Map<string, string>();
  /** `Security` has the logins of an environment file. */
  readonly #taken = new Set(["Security"]);
  readonly #secrets = new Map<string, Variable>();
  readonly #logins = new Map<string, string>();

  remark(kind: ImportRemark["kind"], where: string, message: string): void {
    this.remarks.push({ kind, where, message });
  }

  /**
   * The name of a variable, for a name of the source that no placeholder may have.
   *
   * @param owner What has the variable: those of a path, of a request and of the import itself are others than those of
   * the collection.
   */
  nameOf(written: string, owner: Owner = "collection"): string {
    const key = `${owner} ${written}`;
    const known = this.#names.get(key);
    if (known !== undefined) return known;
    const name = uniqueName(toIdentifier(written, "value"), this.#taken);
    this.#taken.add(name);
    this.#names.set(key, name);
    return name;
  }

  /** Sets a variable of the collection; the first value of a name stays. */
  set(written: string, value: Setting["value"], secret: boolean = isSecretName(written)): string {
    const name = this.nameOf(written);
    const before = this.variables.get(name);
    if (before === undefined || before.value === undefined) {
      this.variables.set(name, { value, secret });
    }
    return name;
  }

  /** A variable for a secret text; the same text has the same variable, another one a name of its own. */
  secret(written: string, value: Text | undefined): Variable {
    if (value?.length === 1 && typeof value[0] !== "string") return value[0] as Variable;
    const key = JSON.stringify([written, value]);
    const known = this.#secrets.get(key);
    if (known !== undefined) return known;
    const base = toIdentifier(written, "secret");
    let name = this.nameOf(written);
    // Where it has another value already, the name gets a number.
    for (let count = 2; this.variables.get(name)?.value !== undefined; count++) {
      name = `${base}_${count}`;
    }
    this.#taken.add(name);
    this.variables.set(name, { value, secret: true });
    this.#secrets.set(key, { variable: name });
    return { variable: name };
  }

  /** The name that begins those of the variables of a login; each login has its own. */
  loginName(prefix: string, login: unknown): string {
    const key = JSON.stringify([prefix, login]);
    const known = this.#logins.get(key);
    if (known !== undefined) return known;
    const name = uniqueName(this.nameOf(prefix), new Set(this.#logins.values()));
    this.#logins.set(key, name);
    return name;
  }

  /** An environment, which may have been set partly before. */
  environment(written: string): Map<string, Setting> {
    // Names with a dollar sign, such as $shared, have a meaning.
    const name =
      oneLine(written)
        .replace(/^[\s$]+/, "")
        .trim() || "environment";
    const found = this.environments.get(name) ?? new Map<string, Setting>();
    this.environments.set(name, found);
    return found;
  }

  build(parts: Pick<Collection, "name" | "description" | "items">): Collection {
    const { variables, environments, remarks, files } = this;
    return { ...parts, variables, environments, remarks, files };
  }
}

/** Generated values that all tools have. Others could read what the machine of a person knows. */
export const GENERATED: RegExp =
  /^\$(?:guid|uuid|timestamp|isoTimestamp|randomInt|random[A-Z]\w*)$/;

/** Reads text in which a tool writes variables as `{{name}}`. */
export function readBraces(text: string, builder: Pick<CollectionBuilder, "nameOf">): Text {
  const parts = text.split(/\{\{([^{}\r\n]+)\}\}/).map((part, index): Text[number] => {
    if (index % 2 === 0) return part;
    const name = part.trim();
    if (GENERATED.test(name)) return { variable: name };
    return name === "" || name.startsWith("$") ? `{{${part}}}` : { variable: builder.nameOf(name) };
  });
  return joinText(parts);
}

/** Joins neighbouring texts among other parts, and leaves out empty ones. */
export function joinText<Part = Variable>(
  parts: readonly (string | Part)[],
): readonly (string | Part)[] {
  const joined: (string | Part)[] = [];
  for (const part of parts) {
    const last = joined.at(-1);
    if (typeof part === "string" && typeof last === "string") joined.splice(-1, 1, last + part);
    else if (part !== "") joined.push(part);
  }
  return joined;
}

/** Text without variables in it, or with its variables as a tool would show them. */
export function plainText(text: Text): string {
  return text.map((part) => (typeof part === "string" ? part : `{{${part.variable}}}`)).join("");
}

/** A name of letters, digits and `_`, made of any text. */
export function toIdentifier(text: string, otherwise: string): string {
  if (isReachableName(text)) return text;
  const name = text
    .normalize("NFC")
    .slice(0, 200)
    .replace(/[^\p{L}\p{M}\p{Nd}_-]+/gu, "_")
    .replace(/^[_-]+|[_-]+$/g, "")
    .slice(0, 80);
  if (name === "") return otherwise;
  return isReachableName(name) ? name : `_${name}`;
}

/** The name, or the name with the first number that makes it a new one. */
export function uniqueName(name: string, taken: ReadonlySet<string>): string {
  let free = name;
  for (let count = 2; taken.has(free); count++) free = `${name}_${count}`;
  return free;
}

/** A text on one line. */
export function oneLine(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they would end the line, or act on a terminal
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, " ");
}

/** All requests of some items, in order. */
export function* requestsOf(items: readonly Item[]): Generator<ImportedRequest> {
  for (const item of items) {
    if (item.kind === "request") yield item;
    else if (item.kind === "folder") yield* requestsOf(item.items);
  }
}
