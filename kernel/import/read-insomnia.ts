import { isRecord, memberOf } from "../../lib/interpolation/mod.ts";
import { isSecretName } from "../../lib/request/mod.ts";
import { type CollectionBuilder, ImportError, toIdentifier, uniqueName } from "./collection.ts";
import { CREDENTIAL_FIELDS } from "./credentials.ts";
import { createTemplateReader, type TemplateReader } from "./nunjucks.ts";
import { type Dialect, POSTMAN_SCRIPTS } from "./postman-scripts.ts";
import { parseData } from "./read-data.ts";
import { PostmanReader } from "./read-postman.ts";
import type { ReadContent, Source } from "./readers.ts";
import { listOf, scalarText, textOf } from "./values.ts";

type Json = Readonly<Record<string, unknown>>;

/** A folder or a request as version 4 writes it, and what is in it. */
interface Entry {
  readonly data: Json;
  readonly where: string;
  readonly children: readonly Entry[] | undefined;
}

/** What all versions say, in the terms of version 4. */
interface Content {
  readonly name: string;
  readonly description: string | undefined;
  readonly entries: readonly Entry[];
  /** Environments; the first is the base of the others. */
  readonly environments: readonly Json[];
  readonly tests: readonly Json[];
}

/** Deeper folders are a mistake, or an attack on what walks through them. */
const DEEPEST = 100;
const FILE = /(?:^|\/)\.insomnia\/.*\.ya?ml$/;

/** Whether a source is an export of Insomnia, a file of version 5, or a folder that has `.insomnia`. */
export function isInsomnia({ data, files }: Source): boolean {
  if (memberOf(data, "_type") === "export" || memberOf(data, "__export_format") !== undefined) {
    return true;
  }
  if (/\.insomnia\.rest\/5/.test(scalarText(memberOf(data, "type")))) return true;
  return data === undefined && [...files.keys()].some((path) => FILE.test(path));
}

/** Reads exports of Insomnia 3 and 4, files of version 5, and the folder `.insomnia` of a repository. */
export function readInsomnia(source: Source, builder: CollectionBuilder): ReadContent {
  const { name, description, entries, environments, tests } = contentOf(source, builder);
  const names = namesOf(entries);
  const templates = createTemplateReader(names, builder);
  for (const environment of environments) {
    const target =
      environment === environments[0] ? undefined : builder.environment(nameOf(environment));
    for (const { key, value, secret } of variablesOf(environment)) {
      // An empty text is a value here, but for a secret, which may have been left out of the export.
      const read = templates.read(value, builder);
      const setting = { value: secret && read.length === 0 ? undefined : read, secret };
      if (target === undefined) builder.set(key, setting.value, secret);
      else target.set(builder.nameOf(key), setting);
    }
  }
  const about = new WeakMap();
  const items = entries.flatMap((entry) =>
    toItem(entry, [], { builder, about, names, templates, tests }),
  );
  const reader = new PostmanReader(builder, { readText: templates.read, about, scripts: SCRIPTS });
  return { name, description, items: reader.readItems(items, { auth: undefined, where: "$" }) };
}

function contentOf(source: Source, builder: CollectionBuilder): Content {
  const { data, files } = source;
  if (data === undefined) {
    const resources = [...files]
      .filter(([path]) => FILE.test(path))
      .map(([path, text]) => ({ data: parseData(text, path), where: path }));
    return fromResources(source, resources, builder);
  }
  if (Array.isArray(memberOf(data, "resources"))) {
    const resources = listOf(memberOf(data, "resources")).map((one, index) => ({
      data: one,
      where: `$.resources[${index}]`,
    }));
    return fromResources(source, resources, builder);
  }
  if (!/\/5/.test(scalarText(memberOf(data, "type")))) {
    throw new ImportError(
      `Reading "${source.name}" failed: it is an export of an old Insomnia; export it as version 4 or 5`,
    );
  }
  const environments = memberOf(data, "environments");
  const base = memberOf(environments, "data") ?? memberOf(data, "data");
  return {
    name: textOf(memberOf(data, "name")) ?? "Collection",
    description: textOf(memberOf(memberOf(data, "meta"), "description")),
    entries: entriesOf(memberOf(data, "collection"), "$.collection"),
    environments: [
      { ...(isRecord(environments) ? environments : {}), data: base },
      ...listOf(memberOf(environments, "subEnvironments")).filter(isRecord),
    ],
    tests: listOf(memberOf(data, "testSuites"))
      .flatMap((suite) => listOf(memberOf(suite, "tests")))
      .filter(isRecord),
  };
}

/** The resources of version 4, which name what they are in. */
function fromResources(
  { name }: Source,
  resources: readonly { readonly data: unknown; readonly where: string }[],
  builder: CollectionBuilder,
): Content {
  const all = resources.flatMap(({ data, where }) =>
    isRecord(data) ? [{ data, where, type: typeOf(data) }] : [],
  );
  const inside = new Map<unknown, typeof all>();
  for (const one of all) {
    const parent = one.data["parentId"];
    const others = inside.get(parent);
    if (others === undefined) inside.set(parent, [one]);
    else others.push(one);
  }
  const placed = new Set<unknown>();
  const within = (id: unknown, depth = 0): readonly Entry[] => {
    if (depth > DEEPEST) {
      throw new ImportError(
        `Reading "${name}" failed: its folders are nested deeper than ${DEEPEST}`,
      );
    }
    const entries = (inside.get(id) ?? []).flatMap(({ data, where, type }): readonly Entry[] => {
      const isFolder = type === "requestgroup" || type === "workspace";
      if ((!isFolder && !type.endsWith("request")) || placed.has(data)) return [];
      placed.add(data);
      const children = isFolder ? within(data["_id"], depth + 1) : undefined;
      return [{ data: { ...data, _type: type }, where, children }];
    });
    return inSequence(entries);
  };
  const workspaces = all.filter(({ type }) => type === "workspace");
  const [only, ...others] = workspaces;
  // What has no parent in the export is at the top.
  const ids = new Set(all.map(({ data }) => data["_id"]));
  const roots = [...inside.keys()].filter((id) => !ids.has(id));
  const isOne = only !== undefined && others.length === 0 && roots.length <= 1;
  for (const { where } of all.filter(
    ({ type, data }) => type === "apispec" && textOf(data["contents"]),
  )) {
    builder.remark("left out", where, "A description of an API; import it by itself");
  }
  const entries = isOne ? within(only.data["_id"]) : roots.flatMap((id) => within(id));
  for (const { data, where, type } of all) {
    if (type.endsWith("request") && !placed.has(data)) {
      builder.remark("left out", where, "It is in a folder that is in itself");
    }
  }
  const environments = all.filter(({ type }) => type === "environment").map(({ data }) => data);
  const environmentIds = new Set(environments.map(({ _id }) => _id));
  const isBase = ({ parentId }: Json): boolean => !environmentIds.has(parentId);
  return {
    name: (isOne ? textOf(only.data["name"]) : undefined) ?? name.replace(/^.*[\\/]|\.\w+$/g, ""),
    description: isOne ? textOf(only.data["description"]) : undefined,
    entries,
    environments: [
      { data: Object.assign({}, ...environments.filter(isBase).map(({ data }) => data)) },
      ...environments.filter((one) => !isBase(one)),
    ],
    tests: all.filter(({ type }) => type === "unittest").map(({ data }) => data),
  };
}

/** `request_group` of an export and `RequestGroup` of a repository. */
function typeOf(data: Json): string {
  return scalarText(data["_type"] ?? data["type"])
    .replaceAll("_", "")
    .toLowerCase();
}

/** The entries of version 5, as version 4 has them. */
function entriesOf(list: unknown, where: string): readonly Entry[] {
  const entries = listOf(list).flatMap((one, index): readonly Entry[] => {
    if (!isRecord(one)) return [];
    const { meta, settings, scripts, children } = one;
    const id = scalarText(memberOf(meta, "id"));
    const place = `${where}[${index}]`;
    const data = {
      ...one,
      _id: id,
      _type: id.replace(/_.*/, ""),
      description: memberOf(meta, "description"),
      metaSortKey: memberOf(meta, "sortKey"),
      settingFollowRedirects: memberOf(settings, "followRedirects"),
      settingSendCookies: memberOf(memberOf(settings, "cookies"), "send"),
      preRequestScript: memberOf(scripts, "preRequest"),
      afterResponseScript: memberOf(scripts, "afterResponse"),
    };
    const isFolder = Array.isArray(children) || id.startsWith("fld");
    return [
      {
        data,
        where: place,
        children: isFolder ? entriesOf(children, `${place}.children`) : undefined,
      },
    ];
  });
  return inSequence(entries);
}

function inSequence(entries: readonly Entry[]): readonly Entry[] {
  const key = ({ data }: Entry): number => Number(data["metaSortKey"] ?? 0) || 0;
  return entries.toSorted((one, other) => key(one) - key(other));
}

/** The names of all requests, by their identifiers in the source: other requests refer to their responses. */
function namesOf(entries: readonly Entry[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const taken = new Set<string>();
  const add = ({ data, children }: Entry): void => {
    for (const one of children ?? []) add(one);
    if (children !== undefined) return;
    const name = uniqueName(toIdentifier(nameOf(data), "request"), taken);
    taken.add(name);
    const id = scalarText(data["_id"]);
    if (id !== "") names.set(id, name);
  };
  for (const one of entries) add(one);
  return names;
}

function nameOf({ name }: Json): string {
  return textOf(name) ?? "Request";
}

/** The variables of an environment; those of an object in it have its name in front, as templates name them. */
function variablesOf(
  environment: Json,
): readonly { readonly key: string; readonly value: string; readonly secret: boolean }[] {
  const marked = new Set(
    listOf(environment["kvPairData"])
      .filter((row) => memberOf(row, "type") === "secret")
      .map((row) => memberOf(row, "name")),
  );
  const isPrivate =
    (environment["isPrivate"] ?? memberOf(environment["meta"], "isPrivate")) === true;
  const read = (data: unknown, before: string): ReturnType<typeof variablesOf> =>
    Object.entries(isRecord(data) ? data : {}).flatMap(([name, value]) => {
      const key = before + name;
      if (isRecord(value) && Object.keys(value).length > 0) return read(value, `${key}.`);
      const secret = isPrivate || marked.has(key) || isSecretName(name);
      return [{ key, value: scalarText(value), secret }];
    });
  return read(environment["data"] ?? environment["environment"], "");
}

interface ItemContext {
  readonly builder: CollectionBuilder;
  readonly about: WeakMap<object, { readonly where: string; readonly id?: string }>;
  readonly names: ReadonlyMap<string, string>;
  readonly templates: TemplateReader;
  readonly tests: readonly Json[];
}

/** Kinds of requests that are no HTTP requests, by what their types and identifiers begin with. */
const OTHERS: Readonly<Record<string, string>> = {
  websocket: "WebSocket",
  "ws-req": "WebSocket",
  grpc: "gRPC",
  greq: "gRPC",
  socketio: "Socket.IO",
  "socketio-req": "Socket.IO",
};

/** A folder or a request as Postman writes it. A folder hands its headers down, which Postman has no place for. */
function toItem(
  { data, where, children }: Entry,
  inherited: readonly Json[],
  context: ItemContext,
): readonly object[] {
  const name = nameOf(data);
  const own = listOf(data["headers"])
    .filter(isRecord)
    .filter(({ name: key, value }) => !isOfClient(key, value));
  const isOwn = (key: unknown): boolean =>
    own.some((one) => scalarText(one["name"]).toLowerCase() === scalarText(key).toLowerCase());
  const headers = [...inherited.filter((one) => !isOwn(one["name"])), ...own];
  const event = [
    { listen: "prerequest", script: { exec: toPostmanScript(data["preRequestScript"]) } },
    { listen: "test", script: { exec: toPostmanScript(data["afterResponseScript"]) } },
  ];
  const auth = toAuth(data["authentication"]);
  const base = { name, auth, description: data["description"] };
  if (children !== undefined) {
    const folder = {
      ...base,
      event,
      variable: variablesOf({ environment: data["environment"] }),
      item: children.flatMap((one) => toItem(one, headers, context)),
    };
    context.about.set(folder, { where });
    return [folder];
  }
  const kind = scalarText(data["_type"]).replace(/(?<=.)request$/, "");
  if (Object.hasOwn(OTHERS, kind)) {
    context.builder.remark("left out", where, `"${name}" is a request of ${OTHERS[kind]}`);
    return [];
  }
  const id = scalarText(data["_id"]);
  const tests = context.tests.filter((test) => test["requestId"] === id && id !== "");
  const { header, body } = toBody(data["body"], headers);
  const item = {
    ...base,
    protocolProfileBehavior: {
      followRedirects: data["settingFollowRedirects"] !== "off",
      disableCookies: data["settingSendCookies"] === false,
      disableBodyPruning: true,
    },
    event: [
      ...event,
      ...tests.map((test) => ({ listen: "test", script: { exec: toTestScript(test["code"]) } })),
    ],
    request: {
      method: data["method"],
      auth,
      url: toUrl(context.templates.hide(scalarText(data["url"])), data),
      header,
      body,
    },
  };
  context.about.set(item, { where, id: context.names.get(id) });
  return [item];
}

/** The query of the text and the parameters are sent both. */
function toUrl(text: string, { parameters, pathParameters }: Json): object {
  const [whole = ""] = text.split(/#(?![^{}]*\}\})/, 1);
  const [raw = ""] = whole.split(/\?(?![^{}]*\}\})/, 1);
  const parts = whole
    .slice(raw.length + 1)
    .split("&")
    .filter(Boolean);
  const query = [...parts.map((key) => ({ key })), ...rowsOf(parameters)];
  return { raw, query, variable: rowsOf(pathParameters) };
}

/** What Insomnia writes into each new request. */
function isOfClient(name: unknown, value: unknown): boolean {
  return /^user-agent$/i.test(scalarText(name)) && /^insomnia\//.test(scalarText(value));
}

function rowsOf(rows: unknown): readonly object[] {
  return listOf(rows)
    .filter(isRecord)
    .map(({ name, value, disabled, type, fileName }) =>
      type === "file"
        ? { key: name, type, src: fileName, disabled }
        : { key: name, value, disabled },
    );
}

/** The body, and the headers with the type that it has. */
function toBody(body: unknown, headers: readonly Json[]): { header: unknown; body?: object } {
  const [mimeType, text, fileName] = ["mimeType", "text", "fileName"].map((key) =>
    scalarText(memberOf(body, key)),
  );
  const rows = rowsOf(headers);
  const isTyped = headers.some(
    ({ name, disabled }) => /^content-type$/i.test(scalarText(name)) && disabled !== true,
  );
  const header = isTyped || !mimeType ? rows : [{ key: "Content-Type", value: mimeType }, ...rows];
  const params = rowsOf(memberOf(body, "params"));
  switch (mimeType?.split(";", 1)[0]?.trim().toLowerCase()) {
    case "application/x-www-form-urlencoded":
      if (params.length === 0 && text) return { header, body: { mode: "raw", raw: text } };
      return { header, body: { mode: "urlencoded", urlencoded: params } };
    case "multipart/form-data":
      return { header: rows, body: { mode: "formdata", formdata: params } };
    case "application/graphql": {
      const graphql = graphqlOf(text ?? "");
      return graphql === undefined
        ? { header: rows, body: { mode: "raw", raw: text, options: { raw: { language: "json" } } } }
        : { header: rows, body: { mode: "graphql", graphql } };
    }
    default:
      if (fileName) return { header, body: { mode: "file", file: { src: fileName } } };
      return text ? { header, body: { mode: "raw", raw: text } } : { header: rows };
  }
}

/** The query and its variables; nothing where templates make it no JSON, or where it has more than they. */
function graphqlOf(text: string): object | undefined {
  try {
    const { query, variables = {}, ...more } = JSON.parse(text);
    if (Object.keys(more).length > 0 || typeof query !== "string") return undefined;
    return { query, variables: isRecord(variables) ? JSON.stringify(variables) : variables };
  } catch {
    return undefined;
  }
}

/** Credentials as Postman writes them; nothing where the folder decides. */
function toAuth(auth: unknown): object | undefined {
  // Old exports have no type.
  const type = textOf(memberOf(auth, "type")) ?? (memberOf(auth, "username") ? "basic" : undefined);
  if (type === undefined || !isRecord(auth)) return undefined;
  if (auth["disabled"] === true || type === "none") return { type: "noauth" };
  const fields = Object.entries(auth).map(([key, value]) => {
    if (key === "prefix" && value === "NO_PREFIX") return [key, " "];
    return [CREDENTIAL_FIELDS.get(key) ?? key, value];
  });
  const name = type === "iam" ? "awsv4" : type;
  return { type: name, [name]: Object.fromEntries(fields) };
}

const SCRIPTS: Dialect = { ...POSTMAN_SCRIPTS, name: "Insomnia" };

/** Scripts call by another name what they do in Postman. */
function toPostmanScript(script: unknown): string {
  return scalarText(script)
    .replaceAll("JSON.parse(insomnia.response.body)", "pm.response.json()")
    .replace(/\binsomnia\.(?:baseEnvironment|(?=[a-z]))/g, (found) =>
      found.endsWith("t") ? "pm.globals" : "pm.",
    );
}

/** A test of a suite sends the request itself: what it says of the response is what a script would say. */
function toTestScript(code: unknown): string {
  const text = scalarText(code);
  const [line, name = ""] =
    /^[ \t]*(?:const|let|var)[ \t]+(\w+)[ \t]*=[ \t]*await insomnia\.send\(\);?/m.exec(text) ?? [];
  if (line === undefined) return text;
  return text
    .replace(line, "")
    .replaceAll(`JSON.parse(${name}.data)`, "pm.response.json()")
    .replace(new RegExp(`(?<![\\w.])${name}\\.status\\b`, "g"), "pm.response.code")
    .replace(/(?<![\w.])expect\(/g, "pm.expect(");
}
