import { isRecord, memberOf } from "../../lib/interpolation/mod.ts";
import { isSecretName } from "../../lib/request/mod.ts";
import {
  type FormField,
  formBody,
  multipartBody,
  type TypedBody,
  textBody,
  withoutComments,
} from "./bodies.ts";
import {
  type CollectionBuilder,
  type Example,
  ImportError,
  type ImportedRequest,
  type Item,
  plainText,
  type Row,
  readBraces,
  type Text,
} from "./collection.ts";
import { credentialRows, toCredential } from "./credentials.ts";
import { convertScripts, type Dialect, describeFolder, type Script } from "./postman-scripts.ts";
import type { ReadContent, Source } from "./readers.ts";
import { headerRow, joinHeaders, namedFile, queryRow, readAddress, type Settings } from "./rows.ts";
import { describedBy, isDisabled, listOf, scalarText, textOf } from "./values.ts";

type Json = Readonly<Record<string, unknown>>;

/** Reads a collection of Postman 2.0 or 2.1. */
export function readPostman(source: Source, builder: CollectionBuilder): ReadContent {
  const document = (memberOf(source.data, "collection") ?? source.data) as Json;
  if (!Array.isArray(document["item"])) {
    const hint = "export it as a collection v2.1";
    throw new ImportError(
      `Reading "${source.name}" failed: it is a collection of Postman 1.0; ${hint}`,
    );
  }
  const reader = new PostmanReader(builder);
  reader.readVariables(document["variable"]);
  const { info, auth } = document;
  const scope = { auth, where: "$" };
  return {
    name: textOf(memberOf(info, "name")) ?? "Collection",
    description: reader.describe(document, memberOf(info, "description"), "$"),
    items: reader.readItems(document["item"], scope),
  };
}

/** Reads an environment of Postman, or its globals. */
export function readPostmanEnvironment({ data }: Source, builder: CollectionBuilder): ReadContent {
  const name = textOf(memberOf(data, "name")) ?? "environment";
  const isGlobal = memberOf(data, "_postman_variable_scope") === "globals";
  const target = isGlobal ? builder.variables : builder.environment(name);
  for (const row of listOf(memberOf(data, "values"))) {
    const key = textOf(memberOf(row, "key"));
    if (key === undefined || isDisabled(row)) continue;
    const secret = memberOf(row, "type") === "secret" || isSecretName(key);
    const value = readBraces(scalarText(memberOf(row, "value")), builder);
    target.set(builder.nameOf(key), { value: plainText(value) === "" ? undefined : value, secret });
  }
  return { name, items: [] };
}

/** What a format whose collections are read as those of Postman says in another way. */
export interface PostmanDialect {
  /** Reads text with variables, whose names become those of restlab. */
  readonly readText: (text: string, names: Pick<CollectionBuilder, "nameOf">) => Text;
  /** Where an item stands in its source, and what its name is made of. */
  readonly about: WeakMap<object, Pick<ImportedRequest, "where" | "id">>;
  /** What its scripts are, if messages call them by another name. */
  readonly scripts?: Dialect;
}

/** Postman itself. */
export const POSTMAN: PostmanDialect = { readText: readBraces, about: new WeakMap() };

/** What a folder hands down to its requests. */
interface PostmanScope {
  readonly auth: unknown;
  /** Where the folder is in the source. */
  readonly where: string;
}

/** Reads the items of a collection. */
export class PostmanReader {
  readonly #builder: CollectionBuilder;
  readonly #dialect: PostmanDialect;
  /** The variables of the folder that have another value outside of it. */
  readonly #own: ReadonlyMap<string, string>;

  constructor(
    builder: CollectionBuilder,
    dialect: PostmanDialect = POSTMAN,
    own: ReadonlyMap<string, string> = new Map(),
  ) {
    this.#builder = builder;
    this.#dialect = dialect;
    this.#own = own;
  }

  readVariables(rows: unknown): void {
    for (const { key, value, secret } of this.#variables(rows)) {
      this.#builder.set(key, value, secret);
    }
  }

  /** The reader of a folder: a variable that has another value outside of it gets a name of its own. */
  #within(title: string, rows: unknown): PostmanReader {
    const { variables, environments } = this.#builder;
    const own = new Map(this.#own);
    for (const { key, value, secret } of this.#variables(rows)) {
      const name = this.#builder.nameOf(key);
      const outside = [variables, ...environments.values()].flatMap((one) => one.get(name) ?? []);
      const isOther = outside.some((one) => JSON.stringify(one.value) !== JSON.stringify(value));
      if (isOther) own.set(key, this.#builder.set(`${title} ${key}`, value, secret));
      else this.#builder.set(key, value, secret);
    }
    return new PostmanReader(this.#builder, this.#dialect, own);
  }

  #variables(
    rows: unknown,
  ): readonly { readonly key: string; readonly value?: Text; readonly secret: boolean }[] {
    return listOf(rows).flatMap((row) => {
      const key = textOf(memberOf(row, "key") ?? memberOf(row, "id"));
      if (key === undefined || isDisabled(row)) return [];
      const value = this.#text(scalarText(memberOf(row, "value")));
      const secret = memberOf(row, "type") === "secret" || isSecretName(key);
      return [{ key, secret, ...(value.length > 0 && { value }) }];
    });
  }

  readItems(items: unknown, scope: PostmanScope): readonly Item[] {
    return listOf(items).flatMap((item, index): readonly Item[] => {
      if (!isRecord(item)) return [];
      const about = this.#dialect.about.get(item);
      const where = about?.where ?? `${scope.where}.item[${index}]`;
      const inner = { auth: item["auth"] ?? scope.auth, where };
      const title = textOf(item["name"]) ?? "Request";
      if (Array.isArray(item["item"])) {
        const description = this.describe(item, item["description"], where);
        const items = this.#within(title, item["variable"]).readItems(item["item"], inner);
        return [{ kind: "folder", title, description, items }];
      }
      const { request } = item;
      if (typeof request === "string") return [this.#request(item, { url: request }, inner, title)];
      if (isRecord(request)) return [this.#request(item, request, inner, title)];
      this.#builder.remark("left out", where, "It has no request");
      return [];
    });
  }

  /** The description of a folder, with its scripts, which run for each of its requests. */
  describe(owner: Json, description: unknown, where: string): string | undefined {
    const scripts = scriptsOf(owner);
    return describeFolder(describedBy(description), scripts, `${where}.event`, this.#builder);
  }

  #text(text: string): Text {
    const nameOf = (written: string): string =>
      this.#own.get(written) ?? this.#builder.nameOf(written);
    return this.#dialect.readText(text, { nameOf });
  }

  #request(item: Json, request: Json, scope: PostmanScope, title: string): ImportedRequest {
    const { where } = scope;
    const method = (textOf(request["method"]) ?? "GET").trim().toUpperCase();
    const settings: Settings = [];
    const { url, query } = this.#url(request["url"], settings, where);
    const comments: string[] = [];
    const rows = this.#credentials(request["auth"] ?? scope.auth, where);
    const written = this.#headers(request["header"], where);
    const isPruned = PRUNED.test(method) && !isKeptBody(item["protocolProfileBehavior"]);
    const typed = isPruned ? undefined : this.#body(request["body"], comments, where);
    const script = convertScripts(
      scriptsOf(item),
      `${where}.event`,
      this.#builder,
      this.#dialect.scripts,
    );
    return {
      kind: "request",
      title,
      where,
      id: this.#dialect.about.get(item)?.id,
      description: describedBy(request["description"] ?? item["description"]),
      comments: [...comments, ...script.comments],
      annotations: annotationsOf(item["protocolProfileBehavior"]),
      settings: [...settings, ...script.settings],
      method,
      url,
      query: [...query, ...rows.query],
      headers: joinHeaders(written, typed, rows.headers, this.#builder),
      body: typed?.body,
      assertions: script.assertions,
      captures: script.captures,
      examples: listOf(item["response"]).flatMap(toExample),
    };
  }

  #url(
    written: unknown,
    settings: Settings,
    where: string,
  ): Pick<ImportedRequest, "url" | "query"> {
    // Postman sends the parts; their text is for people.
    const hasParts = [memberOf(written, "host")].flat().some(Boolean);
    const text = hasParts ? undefined : textOf(memberOf(written, "raw"));
    const raw = typeof written === "string" ? written : (text ?? joinUrl(written));
    const rows = memberOf(written, "query");
    const [bare = ""] = raw.trim().split(/#(?![^{]*\}\})/, 1);
    const base = hasParts || Array.isArray(rows) ? (bare.split("?", 1)[0] ?? "") : bare;
    if (base === "") this.#builder.remark("changed", where, "It has no URL");
    const variables = listOf(memberOf(written, "variable"));
    const pathValue = (name: string): string | undefined => {
      const row = variables.find((one) => ["key", "id"].some((key) => memberOf(one, key) === name));
      return row === undefined ? undefined : scalarText(memberOf(row, "value"));
    };
    const url = readAddress(base, pathValue, settings, (text) => this.#text(text), this.#builder);
    return { url, query: listOf(rows).flatMap((row) => this.#queryRow(row)) };
  }

  #queryRow(row: unknown): readonly Row[] {
    const key = scalarText(memberOf(row, "key"));
    const value = memberOf(row, "value");
    if (key === "" && (value === undefined || value === null || value === "")) return [];
    const text = value === undefined || value === null ? undefined : scalarText(value);
    const read = (one: string): Text => this.#text(one);
    return [queryRow(key, text, isDisabled(row), read, this.#builder)];
  }

  #headers(written: unknown, where: string): readonly Row[] {
    const rows =
      typeof written === "string"
        ? written.split(/\r?\n/).map((line) => {
            const [key = "", ...value] = line.split(":");
            return { key, value: value.join(":").trim() };
          })
        : listOf(written);
    return rows.flatMap((row, index) => {
      const name = scalarText(memberOf(row, "key"));
      const value = this.#text(scalarText(memberOf(row, "value")));
      const place = `${where}.request.header[${index}]`;
      return headerRow({ name, value, disabled: isDisabled(row) }, place, this.#builder);
    });
  }

  #body(body: unknown, comments: string[], where: string): TypedBody | undefined {
    const mode = memberOf(body, "mode");
    const content = typeof mode === "string" ? memberOf(body, mode) : undefined;
    if (memberOf(body, "disabled") === true || content === undefined || content === null)
      return undefined;
    const rows = listOf(content).filter((row) => scalarText(memberOf(row, "key")) !== "");
    const enabled = rows.filter((row) => !isDisabled(row));
    for (const row of rows.filter(isDisabled)) {
      comments.push(
        `Disabled: ${scalarText(memberOf(row, "key"))}=${scalarText(memberOf(row, "value"))}`,
      );
    }
    const pair = (row: unknown): readonly [Text, Text] => [
      this.#text(scalarText(memberOf(row, "key"))),
      this.#text(scalarText(memberOf(row, "value"))),
    ];
    switch (mode) {
      case "raw": {
        const language = memberOf(memberOf(memberOf(body, "options"), "raw"), "language");
        const written = scalarText(content);
        const text = language === "json" ? withoutComments(written) : written;
        return text === ""
          ? undefined
          : textBody(this.#text(text), LANGUAGES[String(language)] ?? "text/plain");
      }
      case "urlencoded":
        return enabled.length === 0 ? undefined : formBody(enabled.map(pair));
      case "formdata":
        return enabled.length === 0
          ? undefined
          : multipartBody(enabled.flatMap((row) => this.#field(row, pair(row), where)));
      case "file": {
        const path = textOf(memberOf(content, "src"));
        if (path === undefined) return undefined;
        return {
          type: "application/octet-stream",
          body: { kind: "text", pieces: [namedFile(path, where, this.#builder)] },
        };
      }
      case "graphql": {
        const variables = scalarText(memberOf(content, "variables")).trim();
        const query = this.#text(scalarText(memberOf(content, "query")));
        const rest =
          variables === "" || variables === "{}" ? {} : { variables: this.#text(variables) };
        return { type: "application/json", body: { kind: "graphql", query, ...rest } };
      }
      default:
        this.#builder.remark(
          "left out",
          `${where}.request.body`,
          `The mode "${String(mode)}" is not known`,
        );
        return undefined;
    }
  }

  #field(row: unknown, [name, value]: readonly [Text, Text], where: string): readonly FormField[] {
    const type = textOf(memberOf(row, "contentType"));
    if (memberOf(row, "type") !== "file") return [{ name, value, type }];
    const paths = [memberOf(row, "src")]
      .flat()
      .filter((path) => typeof path === "string" && path !== "");
    return (paths.length === 0 ? ["file"] : (paths as string[])).map((path) => {
      const file = namedFile(path, where, this.#builder);
      return { name, value: file, type: type ?? "application/octet-stream" };
    });
  }

  #credentials(auth: unknown, where: string): ReturnType<typeof credentialRows> {
    const type = memberOf(auth, "type");
    const none = { headers: [], query: [] };
    if (type === undefined || type === null || type === "noauth") return none;
    const written = memberOf(auth, String(type));
    const entries = Array.isArray(written)
      ? written.map((row) => [scalarText(memberOf(row, "key")), memberOf(row, "value")] as const)
      : Object.entries(isRecord(written) ? written : {});
    const fields = new Map(entries.map(([key, value]) => [key, scalarText(value)]));
    const credential = toCredential(String(type), (key) => {
      const value = fields.get(key);
      return value === undefined || value === "" ? undefined : this.#text(value);
    });
    if (credential !== undefined) return credentialRows(credential, "auth", this.#builder);
    this.#builder.remark(
      "left out",
      where,
      `Credentials of the type "${String(type)}" are not supported`,
    );
    return none;
  }
}

function joinUrl(url: unknown): string {
  const join = (part: unknown, separator: string): string =>
    Array.isArray(part)
      ? part.map((one) => scalarText(memberOf(one, "value") ?? one)).join(separator)
      : scalarText(part);
  const [auth, host, path] = ["auth", "host", "path"].map((key) => memberOf(url, key));
  const protocol = textOf(memberOf(url, "protocol")) ?? "";
  const scheme = protocol.replace(/^(.+?)(?::\/\/)?$/, "$1://");
  const login = ["user", "password"].map((key) => scalarText(memberOf(auth, key))).join(":");
  const port = scalarText(memberOf(url, "port")).replace(/^(?=.)/, ":");
  const way = Array.isArray(path)
    ? `/${join(path, "/")}`
    : scalarText(path).replace(/^\/?(?=.)/, "/");
  return `${scheme}${login === ":" ? "" : `${login}@`}${join(host, ".")}${port}${way}`;
}

const LANGUAGES: Readonly<Record<string, string>> = {
  json: "application/json",
  xml: "application/xml",
  html: "text/html",
  javascript: "application/javascript",
  text: "text/plain",
};

/** The methods that Postman sends without the body that is written, unless a setting says otherwise. */
const PRUNED = /^(?:GET|COPY|HEAD|PURGE|UNLOCK)$/;

function isKeptBody(behavior: unknown): boolean {
  return memberOf(behavior, "disableBodyPruning") === true;
}

function annotationsOf(behavior: unknown): ImportedRequest["annotations"] {
  const keys: readonly (readonly [string, unknown])[] = [
    ["no-redirect", memberOf(behavior, "followRedirects") === false],
    ["no-cookie-jar", memberOf(behavior, "disableCookies") === true],
    ["no-reject-unauthorized", memberOf(behavior, "strictSSL") === false],
  ];
  return keys.flatMap(([key, isSet]) => (isSet === true ? [[key, ""] as const] : []));
}

function toExample(response: unknown): readonly Example[] {
  const status = Number(memberOf(response, "code"));
  if (!Number.isInteger(status) || status < 100) return [];
  const headers = listOf(memberOf(response, "header")).map(
    (row) => [scalarText(memberOf(row, "key")), scalarText(memberOf(row, "value"))] as const,
  );
  const name = textOf(memberOf(response, "name")) ?? "Response";
  const statusText = scalarText(memberOf(response, "status"));
  return [{ name, status, statusText, headers, body: scalarText(memberOf(response, "body")) }];
}

function scriptsOf(owner: Json): readonly Script[] {
  return listOf(owner["event"]).flatMap((event) => {
    const exec = memberOf(memberOf(event, "script"), "exec");
    const text = Array.isArray(exec) ? exec.map(scalarText).join("\n") : scalarText(exec);
    if (text.trim() === "" || isDisabled(event)) return [];
    return [
      { listen: memberOf(event, "listen") === "prerequest" ? "prerequest" : "test", text } as const,
    ];
  });
}
