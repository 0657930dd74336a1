import { isRecord, memberOf } from "../../lib/interpolation/mod.ts";
import type { CollectionBuilder } from "./collection.ts";
import { parseData } from "./read-data.ts";
import { POSTMAN, PostmanReader, readPostmanEnvironment } from "./read-postman.ts";
import type { ReadContent, Source } from "./readers.ts";
import { listOf, scalarText, textOf } from "./values.ts";

type Json = Readonly<Record<string, unknown>>;

const REQUEST = /([^/]+)\.request\.ya?ml$/;
const VALUES = /([^/]+)\.(?:environment|globals)\.ya?ml$/;

/** Whether a source is a folder of collections of Postman 3.0: a file for each request. */
export function isPostmanFolder({ data, files }: Source): boolean {
  return data === undefined && [...files.keys()].some((path) => REQUEST.test(path));
}

/**
 * Reads the folder in which Postman 3.0 keeps collections and environments: requests in `*.request.yaml`, what is said
 * of a folder in `.resources/definition.yaml`. They become the items of Postman 2.1 before they are read.
 */
export function readPostmanFolder(source: Source, builder: CollectionBuilder): ReadContent {
  const { files } = source;
  const open = (path: string): Json => {
    const data = parseData(files.get(path) ?? "", path);
    return isRecord(data) ? data : {};
  };
  for (const path of files.keys()) {
    const [, name] = VALUES.exec(path) ?? [];
    if (name === undefined) continue;
    const scope = /globals\.ya?ml$/.test(path) ? "globals" : undefined;
    const data = { name, _postman_variable_scope: scope, ...open(path) };
    readPostmanEnvironment({ ...source, data }, builder);
  }
  /** The folders and the requests of each folder. */
  const folders = new Map<string, Set<string>>();
  const add = (path: string): void => {
    const folder = path.slice(0, Math.max(0, path.lastIndexOf("/")));
    const known = folders.get(folder);
    if (known !== undefined) return void known.add(path);
    folders.set(folder, new Set([path]));
    if (folder !== "") add(folder);
  };
  for (const path of files.keys()) if (REQUEST.test(path)) add(path);
  const about = new WeakMap();
  const toItem = (path: string): Json => {
    const inside = folders.get(path);
    const definition = `${path}/.resources/definition.yaml`.replace(/^\//, "");
    const data = open(inside === undefined ? path : definition);
    const [, name = path.replace(/^.*\//, "")] = REQUEST.exec(path) ?? [];
    const base = {
      name: textOf(data["name"]) ?? name,
      order: data["order"],
      description: data["description"],
      auth: toAuth(data["auth"]),
      event: listOf(data["scripts"]).map(toEvent),
    };
    const item =
      inside === undefined
        ? { ...base, ...toRequest(data), response: examplesOf(path, name, files, open) }
        : { ...base, variable: rowsOf(data["variables"]), item: inOrder([...inside].map(toItem)) };
    about.set(item, { where: path });
    return item;
  };
  let top = "";
  // Folders around a single collection say nothing.
  for (let only = onlyFolder(folders, top); only !== undefined; only = onlyFolder(folders, top)) {
    top = only;
    if (files.has(`${top}/.resources/definition.yaml`)) break;
  }
  const root = toItem(top);
  const { name, description, auth, variable, item } = root;
  const reader = new PostmanReader(builder, { ...POSTMAN, about });
  reader.readVariables(variable);
  return {
    name: scalarText(name) || "Collection",
    description: reader.describe(root, description, top),
    items: reader.readItems(item, { auth, where: top }),
  };
}

/** The folder that a folder has alone; nothing if it is a collection, or has anything else. */
function onlyFolder(folders: ReadonlyMap<string, Set<string>>, path: string): string | undefined {
  const [first, ...more] = folders.get(path) ?? [];
  return more.length === 0 && first !== undefined && folders.has(first) ? first : undefined;
}

function inOrder(items: readonly Json[]): readonly Json[] {
  const key = ({ order }: Json): number => Number(order ?? Number.MAX_SAFE_INTEGER);
  return items.toSorted(
    (one, other) =>
      key(one) - key(other) || scalarText(one["name"]).localeCompare(scalarText(other["name"])),
  );
}

/** Rows that are written as a list or as an object. */
function rowsOf(written: unknown): readonly unknown[] {
  if (!isRecord(written)) return listOf(written);
  return Object.entries(written).map(([key, value]) => ({ key, value }));
}

function toAuth(auth: unknown): object | undefined {
  const type = textOf(memberOf(auth, "type"));
  return type === undefined ? undefined : { type, [type]: memberOf(auth, "credentials") };
}

function toEvent(script: unknown): object {
  const listen = /beforeRequest$/.test(scalarText(memberOf(script, "type")))
    ? "prerequest"
    : "test";
  return { listen, script: { exec: memberOf(script, "code") } };
}

function toRequest(data: Json): object {
  const { method, url, headers, queryParams, pathVariables, body, settings } = data;
  const query = queryParams === undefined ? undefined : rowsOf(queryParams);
  return {
    protocolProfileBehavior: settings,
    request: {
      method,
      url: { raw: url, query, variable: rowsOf(pathVariables) },
      header: rowsOf(headers),
      body: toBody(body),
    },
  };
}

function toBody(body: unknown): object | undefined {
  const type = scalarText(memberOf(body, "type") ?? memberOf(body, "mode"));
  const content = memberOf(body, "content") ?? memberOf(body, type);
  switch (type) {
    case "":
    case "none":
      return undefined;
    case "formdata":
    case "urlencoded":
      return { mode: type, [type]: rowsOf(content) };
    case "graphql":
      return { mode: type, graphql: content };
    case "file":
    case "binary":
      return { mode: "file", file: isRecord(content) ? content : { src: content } };
    default:
      return { mode: "raw", raw: scalarText(content), options: { raw: { language: type } } };
  }
}

/** The responses that are saved for a request. */
function examplesOf(
  path: string,
  name: string,
  files: Source["files"],
  open: (path: string) => Json,
): readonly object[] {
  const folder = path.slice(0, path.lastIndexOf("/") + 1);
  const start = `${folder}.resources/${name}.resources/examples/`;
  return [...files.keys()]
    .filter((one) => one.startsWith(start))
    .map((one) => {
      const { name: title, response } = open(one);
      return {
        name: title ?? one.slice(start.length).replace(/\.example\.ya?ml$/, ""),
        code: memberOf(response, "statusCode"),
        status: memberOf(response, "statusText"),
        header: rowsOf(memberOf(response, "headers")),
        body: memberOf(memberOf(response, "body"), "content"),
      };
    });
}
