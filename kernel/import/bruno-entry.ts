import { isRecord, memberOf } from "../../lib/interpolation/mod.ts";
import type { BruBlock, BruPair } from "./bru.ts";
import { CREDENTIAL_FIELDS } from "./credentials.ts";
import type { Script } from "./postman-scripts.ts";
import { describedBy, isDisabled, listOf, scalarText, textOf } from "./values.ts";

/** A row of Bruno: of a query, a form, the headers, the variables or the assertions. */
export interface BrunoRow {
  readonly name: string;
  readonly value: string;
  readonly disabled: boolean;
  readonly secret?: boolean;
  readonly type?: string | undefined;
  /** The paths of a field that is a file. */
  readonly files?: readonly string[] | undefined;
}

/** A request, a folder or a collection of Bruno, in whichever form it is written. */
export interface BrunoEntry {
  /** Such as `http`, `graphql`, `ws` or `grpc`. */
  readonly kind: string;
  readonly name: string | undefined;
  readonly seq: number | undefined;
  readonly tags: readonly string[];
  readonly docs: string | undefined;
  readonly method: string;
  readonly url: string;
  readonly query: readonly BrunoRow[];
  readonly path: readonly BrunoRow[];
  readonly headers: readonly BrunoRow[];
  readonly auth: { readonly mode: string; readonly fields: ReadonlyMap<string, string> };
  readonly body: {
    /** Such as `json`, `form-urlencoded`, `file` or `none`. */
    readonly mode: string;
    readonly text: string;
    /** The variables of GraphQL. */
    readonly variables: string;
    /** The fields of a form, files, or messages. */
    readonly rows: readonly BrunoRow[];
  };
  readonly variables: readonly BrunoRow[];
  /** Variables that take a value of the response. */
  readonly captures: readonly BrunoRow[];
  /** An expression, and what it is compared with: `res.status`, `eq 200`. */
  readonly assertions: readonly BrunoRow[];
  readonly scripts: readonly Script[];
  readonly settings: ReadonlyMap<string, string>;
  readonly hasExamples: boolean;
}

const METHODS = /^(?:get|post|put|delete|patch|options|head|connect|trace|http|ws|grpc)$/;

/** Reads the blocks of a `.bru` file. */
export function entryOfBlocks(blocks: readonly BruBlock[]): BrunoEntry {
  const pairs = (name: string): readonly BruPair[] =>
    blocks.filter((one) => one.name === name).flatMap((one) => one.pairs);
  const text = (name: string): string => blocks.findLast((one) => one.name === name)?.text ?? "";
  const meta = toMap(pairs("meta"));
  const line = blocks.findLast(({ name }) => METHODS.test(name));
  const target = toMap(line?.pairs ?? []);
  const mode = modeOf(line?.name === "ws" ? "ws" : (target.get("body") ?? "none"));
  const auth = target.get("auth") ?? toMap(pairs("auth")).get("mode") ?? "none";
  const tags = pairs("meta").find(({ name }) => name === "tags");
  return {
    kind: line?.name === "ws" || line?.name === "grpc" ? line.name : (meta.get("type") ?? "http"),
    name: textOf(meta.get("name")),
    seq: toNumber(meta.get("seq")),
    tags: tags?.items ?? [],
    docs: textOf(text("docs")),
    method: (line?.name === "http" ? target.get("method") : line?.name) ?? "",
    url: target.get("url") ?? "",
    query: [...pairs("query"), ...pairs("params:query")],
    path: pairs("params:path"),
    headers: pairs("headers"),
    auth: { mode: auth, fields: toFields(toMap(pairs(`auth:${auth}`))) },
    body: {
      mode,
      text: text(`body:${mode}`) || (mode === "json" ? text("body") : ""),
      variables: text("body:graphql:vars"),
      rows: mode === "ws" ? messagesOf(blocks) : pairs(`body:${mode}`).map(withFiles),
    },
    variables: pairs("vars:pre-request"),
    captures: pairs("vars:post-response").map(withoutSign),
    assertions: pairs("assert"),
    scripts: (["script:pre-request", "script:post-response", "tests"] as const).map((name) => ({
      listen: name === "script:pre-request" ? "prerequest" : "test",
      text: text(name),
    })),
    settings: toMap(pairs("settings")),
    hasExamples: blocks.some(({ name }) => name === "example"),
  };
}

/** The last value of each name that is not disabled. */
function toMap(pairs: readonly BruPair[]): ReadonlyMap<string, string> {
  return new Map(pairs.filter((one) => !one.disabled).map(({ name, value }) => [name, value]));
}

/** The number of a text; none of an empty one. */
function toNumber(value: unknown): number | undefined {
  const number = Number(textOf(scalarText(value)) ?? Number.NaN);
  return Number.isFinite(number) ? number : undefined;
}

/** `formUrlEncoded` of the line of a request is the block `form-urlencoded`. */
function modeOf(written: string): string {
  return written
    .replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
    .replace("-encoded", "encoded");
}

/** A variable of the request alone has a sign before its name. */
function withoutSign({ name, ...rest }: BruPair): BrunoRow {
  return { ...rest, name: name.startsWith("@") ? name.slice(1) : name };
}

const TYPE = "@contentType(";

/** A value such as `@file(a.png|b.png) @contentType(image/png)`. */
function withFiles({ name, value, disabled }: BruPair): BrunoRow {
  const start = value.endsWith(")") ? value.lastIndexOf(TYPE) : -1;
  const type = start === -1 ? undefined : textOf(value.slice(start + TYPE.length, -1));
  const bare = start === -1 ? value : value.slice(0, start).trimEnd();
  const isFile = bare.startsWith("@file(") && bare.endsWith(")");
  const files = isFile ? bare.slice("@file(".length, -1).split("|").filter(Boolean) : undefined;
  return { name, value: bare, disabled, type, files };
}

/** Each message of a WebSocket has a block of its own. */
function messagesOf(blocks: readonly BruBlock[]): readonly BrunoRow[] {
  return blocks
    .filter(({ name }) => name === "body:ws")
    .map(({ pairs }) => toMap(pairs))
    .map((one) => ({
      name: one.get("name") ?? "",
      value: one.get("content") ?? "",
      disabled: false,
    }));
}

function toFields(fields: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  return new Map([...fields].map(([name, value]) => [CREDENTIAL_FIELDS.get(name) ?? name, value]));
}

/** The method of a request that says none. */
const METHOD: ReadonlyMap<string, string> = new Map([
  ["http", "GET"],
  ["graphql", "POST"],
]);

/** Reads an item, a folder or a collection of an OpenCollection. */
export function entryOfData(data: unknown): BrunoEntry {
  const info = memberOf(data, "info");
  const kind = textOf(memberOf(info, "type")) ?? "";
  const own = memberOf(data, kind) ?? memberOf(data, "request");
  const part = (key: string): unknown =>
    memberOf(own, key) ?? memberOf(memberOf(data, "runtime"), key);
  const params = listOf(part("params"));
  const isPath = (row: unknown): boolean => memberOf(row, "type") === "path";
  const settings = memberOf(data, "settings");
  return {
    kind: kind === "websocket" ? "ws" : kind,
    name: textOf(scalarText(memberOf(info, "name"))),
    seq: toNumber(memberOf(info, "seq")),
    tags: listOf(memberOf(info, "tags")).map(scalarText),
    docs: describedBy(memberOf(data, "docs")) ?? describedBy(memberOf(info, "description")),
    method: textOf(part("method")) ?? METHOD.get(kind) ?? "",
    url: scalarText(part("url")),
    query: params.filter((row) => !isPath(row)).map(rowOf),
    path: params.filter(isPath).map(rowOf),
    headers: rowsOf(part("headers")),
    auth: authOf(part("auth")),
    body: kind === "websocket" ? messagesOfData(part("message")) : bodyOf(kind, part("body")),
    variables: rowsOf(part("variables")),
    captures: listOf(part("actions")).flatMap(captureOf),
    assertions: listOf(part("assertions")).map(assertionOf),
    scripts: listOf(part("scripts")).map((one) => ({
      listen: memberOf(one, "type") === "before-request" ? "prerequest" : "test",
      text: scalarText(memberOf(one, "code")),
    })),
    settings: toTexts(settings),
    hasExamples: listOf(memberOf(data, "examples")).length > 0,
  };
}

/** The rows of a list. */
export function rowsOf(rows: unknown): readonly BrunoRow[] {
  return listOf(rows).map(rowOf);
}

/** A row; its value may have a type. */
function rowOf(row: unknown): BrunoRow {
  const written = memberOf(row, "value");
  const value = isRecord(written) ? written["data"] : written;
  const isFile = memberOf(row, "type") === "file";
  return {
    name: scalarText(memberOf(row, "name")),
    value: scalarText(value),
    disabled: isDisabled(row),
    secret: memberOf(row, "secret") === true,
    type: textOf(memberOf(row, "contentType")),
    files: isFile ? [value].flat().map(scalarText).filter(Boolean) : undefined,
  };
}

function captureOf(action: unknown): readonly BrunoRow[] {
  if (memberOf(action, "type") !== "set-variable") return [];
  if (memberOf(action, "phase") !== "after-response") return [];
  const name = scalarText(memberOf(memberOf(action, "variable"), "name"));
  const value = scalarText(memberOf(memberOf(action, "selector"), "expression"));
  return [{ name, value, disabled: isDisabled(action) }];
}

function assertionOf(row: unknown): BrunoRow {
  const [name = "", ...words] = ["expression", "operator", "value"].map((key) =>
    scalarText(memberOf(row, key)),
  );
  return { name, value: words.join(" ").trim(), disabled: isDisabled(row) };
}

/** The members of an object as texts. */
function toTexts(value: unknown): ReadonlyMap<string, string> {
  const entries = Object.entries(isRecord(value) ? value : {});
  return new Map(entries.map(([name, one]) => [name, scalarText(one)]));
}

function authOf(auth: unknown): BrunoEntry["auth"] {
  if (!isRecord(auth)) return { mode: textOf(auth) ?? "none", fields: new Map() };
  const parts = [auth, auth["credentials"], auth["resourceOwner"]];
  const fields = new Map(parts.flatMap((part) => [...toTexts(part)]));
  return { mode: textOf(auth["type"]) ?? "none", fields: toFields(fields) };
}

/** Of several bodies it is the selected one. */
function bodyOf(kind: string, written: unknown): BrunoEntry["body"] {
  const all = listOf(written);
  const chosen = all.find((one) => memberOf(one, "selected") === true) ?? all[0];
  const body = Array.isArray(written) ? memberOf(chosen, "body") : written;
  const data = memberOf(body, "data");
  const mode = kind === "graphql" ? kind : (textOf(memberOf(body, "type")) ?? "none");
  return {
    mode,
    text: scalarText(kind === "graphql" ? memberOf(body, "query") : data),
    variables: scalarText(memberOf(body, "variables")),
    rows: mode === "file" ? listOf(data).map(fileOf) : rowsOf(data),
  };
}

function fileOf(row: unknown): BrunoRow {
  const path = textOf(memberOf(row, "filePath"));
  return {
    name: "file",
    value: "",
    disabled: memberOf(row, "selected") !== true,
    type: textOf(memberOf(row, "contentType")),
    files: path === undefined ? [] : [path],
  };
}

function messagesOfData(written: unknown): BrunoEntry["body"] {
  const all = Array.isArray(written) ? written.map((one) => memberOf(one, "message")) : [written];
  const texts = all.map((one) => scalarText(memberOf(one, "data"))).filter((one) => one !== "");
  const rows = texts.map((value) => ({ name: "", value, disabled: false }));
  return { mode: "ws", text: "", variables: "", rows };
}
