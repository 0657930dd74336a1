import { isRecord, memberOf } from "../../lib/interpolation/mod.ts";
import { isJsonType } from "../../lib/request/mod.ts";
import { encodeText, formBody, multipartBody, type TypedBody, textBody } from "./bodies.ts";
import {
  type CollectionBuilder,
  type Folder,
  ImportError,
  type ImportedRequest,
  type Item,
  type Row,
  type Text,
  type Variable,
} from "./collection.ts";
import { type Credential, credentialRows } from "./credentials.ts";
import type { ReadContent, Source } from "./readers.ts";
import { createReferences, type References } from "./references.ts";
import { sampleSchema } from "./sample-schema.ts";
import { writeXml } from "./sample-xml.ts";
import { listOf, scalarText, textOf } from "./values.ts";

type Json = Readonly<Record<string, unknown>>;

const METHODS = ["get", "put", "post", "delete", "options", "head", "patch", "trace", "query"];

/** Reads a description of OpenAPI 3.0, 3.1 or 3.2, or of Swagger 2.0. */
export function readOpenApi(source: Source, builder: CollectionBuilder): ReadContent {
  const document = source.data as Json;
  const version = String(document["openapi"] ?? document["swagger"]);
  if (!/^(?:2\.0|3\.[0-2](?:\.|$)|2$)/.test(version)) {
    const hint = "OpenAPI 3.0, 3.1, 3.2 and Swagger 2.0 are supported";
    throw new ImportError(`Reading "${source.name}" failed: its version is "${version}"; ${hint}`);
  }
  return new OpenApiReader(source, builder).read();
}

class OpenApiReader {
  readonly #source: Source;
  readonly #document: Json;
  readonly #builder: CollectionBuilder;
  readonly #references: References;
  readonly #base: Variable;
  readonly #isSwagger: boolean;

  constructor(source: Source, builder: CollectionBuilder) {
    this.#source = source;
    this.#document = source.data as Json;
    this.#isSwagger = "swagger" in this.#document;
    this.#builder = builder;
    this.#references = createReferences(source, (reference) =>
      builder.remark(
        "left out",
        "$",
        `The reference "${reference}" leads to nothing that can be read`,
      ),
    );
    // No other variable, such as a parameter of this name, takes its place.
    this.#base = { variable: builder.nameOf("base", "import") };
  }

  read(): ReadContent {
    const { info, paths, webhooks } = this.#document;
    this.#readServers();
    const folders = new Map<string, { folder: Folder; items: Item[] }>();
    const loose: Item[] = [];
    const open = (name: string, description?: string): { folder: Folder; items: Item[] } => {
      const items: Item[] = [];
      const made = { folder: { kind: "folder", title: name, description, items } as const, items };
      folders.set(name, made);
      return made;
    };
    for (const tag of listOf(this.#document["tags"])) {
      const name = textOf(memberOf(tag, "name"));
      if (name !== undefined) open(name, textOf(memberOf(tag, "description")));
    }
    for (const { tag, request } of this.#operations(paths)) {
      if (tag === undefined) loose.push(request);
      else (folders.get(tag) ?? open(tag)).items.push(request);
    }
    if (isRecord(webhooks)) {
      this.#builder.remark("left out", "$.webhooks", "Webhooks are requests that the server sends");
    }
    const used = [...folders.values()].filter(({ items }) => items.length > 0);
    return {
      name: textOf(memberOf(info, "title")) ?? "API",
      description: textOf(memberOf(info, "description")),
      items: [...loose, ...used.map(({ folder }) => folder)],
    };
  }

  /** The first server is used without an environment; several are environments. */
  #readServers(): void {
    const servers = this.#servers(this.#document);
    for (const [index, { url, name }] of servers.entries()) {
      const setting = { value: url, secret: false };
      if (index === 0) this.#builder.variables.set(this.#base.variable, setting);
      if (servers.length === 1) continue;
      const environments = this.#builder.environments;
      this.#builder
        .environment(environments.has(name) ? `${name} ${index + 1}` : name)
        .set(this.#base.variable, setting);
    }
  }

  #servers(owner: Json): readonly { readonly url: Text; readonly name: string }[] {
    const written = this.#isSwagger ? swaggerServers(owner) : listOf(owner["servers"]);
    const servers = written.length === 0 ? [{ url: "/" }] : written;
    return servers.flatMap((server) => {
      const url = memberOf(server, "url");
      if (typeof url !== "string") return [];
      const variables = memberOf(server, "variables");
      const absolute = this.#absolute(url.replace(/\/+$/, ""));
      const parts = absolute.split(/\{([^{}]*)\}/).map((part, index): Text[number] => {
        if (index % 2 === 0) return part;
        const usual = memberOf(memberOf(variables, part), "default");
        const value = usual === undefined ? undefined : [String(usual)];
        return { variable: this.#builder.set(part, value, false) };
      });
      const host = absolute.replace(/^[a-z]+:\/\//i, "").replace(/\/.*/s, "");
      return [
        {
          url: parts.filter((part) => part !== ""),
          name: textOf(memberOf(server, "description")) ?? host,
        },
      ];
    });
  }

  #absolute(url: string): string {
    if (/^(?:[a-z][a-z\d+.-]*:\/\/|\{)/i.test(url)) return url;
    if (url.startsWith("//")) return `https:${url}`;
    const origin = /^https?:\/\/[^/?#]+/i.exec(this.#source.name)?.[0];
    const base = origin ?? "http://localhost";
    if (origin === undefined) {
      const message = `The server "${url || "/"}" has no host: ${base} stands for it`;
      this.#builder.remark("changed", this.#isSwagger ? "$.host" : "$.servers", message);
    }
    return `${base}${url === "" || url.startsWith("/") ? "" : "/"}${url}`;
  }

  *#operations(
    paths: unknown,
  ): Generator<{ readonly tag: string | undefined; readonly request: ImportedRequest }> {
    const all = this.#references.resolve(paths);
    for (const [path, written] of Object.entries(isRecord(all) ? all : {})) {
      if (path.startsWith("x-")) continue;
      const where = `$.paths[${JSON.stringify(path)}]`;
      const item = this.#references.resolve(written);
      if (!isRecord(item)) continue;
      const extra = isRecord(item["additionalOperations"]) ? item["additionalOperations"] : {};
      const operations = [
        ...METHODS.map((name) => [name, item[name]] as const),
        ...Object.entries(extra),
      ];
      for (const [method, found] of operations) {
        const operation = this.#references.resolve(found);
        if (!isRecord(operation)) continue;
        const place = {
          method: method.toUpperCase(),
          path,
          item,
          operation,
          where: `${where}.${method}`,
        };
        const [tag] = listOf(operation["tags"]);
        yield { tag: textOf(tag), request: this.#request(place) };
      }
    }
  }

  #request({ method, path, item, operation, where }: Place): ImportedRequest {
    const parameters = this.#parameters([item, operation]);
    const id = textOf(operation["operationId"]);
    const summary = textOf(operation["summary"]);
    const settings: (readonly [string, Text])[] = [];
    const own = [operation, item].find((one) => listOf(one["servers"]).length > 0);
    const base: Text = own === undefined ? [this.#base] : (this.#servers(own)[0]?.url ?? []);
    // A fragment, which is not sent, tells operations of one path apart.
    const url = path
      .replace(/#.*/s, "")
      .split(/\{([^{}]*)\}/)
      .map((part, index): Text[number] => {
        if (index % 2 === 0) return part;
        const parameter = parameters.find((one) => one["in"] === "path" && one["name"] === part);
        const value = flatten(this.#value(parameter ?? {}) ?? part, ",");
        // A server may have a variable of this name.
        const owner = this.#builder.variables.has(part) ? "path" : "collection";
        const name = this.#builder.nameOf(part, owner);
        settings.push([name, [value]]);
        return { variable: encodeURIComponent(value) === value ? name : `%${name}` };
      });
    const typed = this.#body(operation, parameters, where);
    const rows = this.#credentials(operation);
    const accept = this.#accept(operation);
    const headers = [
      ...(accept === undefined ? [] : [{ name: "Accept", value: [accept] }]),
      ...(typed === undefined ? [] : [{ name: "Content-Type", value: [typed.type] }]),
      ...this.#headers(parameters),
      ...rows.flatMap((one) => one.headers),
    ];
    return {
      kind: "request",
      title: summary ?? id ?? `${method} ${path}`,
      id: id ?? `${method.toLowerCase()} ${path}`,
      where,
      description: describe(operation, summary, parameters),
      settings: [...new Map(settings)],
      method,
      url: [...base, ...url],
      query: [
        ...parameters.flatMap((one) => this.#queryRows(one)),
        ...rows.flatMap((one) => one.query),
      ],
      headers,
      body: typed?.body,
    };
  }

  /** The parameters of a path and of its operation, which overrides those of the same place and name. */
  #parameters(owners: readonly Json[]): readonly Json[] {
    const found = owners
      .flatMap((owner) => listOf(owner["parameters"]))
      .map((one) => this.#references.resolve(one))
      .filter(isRecord);
    return [...new Map(found.map((one) => [`${one["in"]} ${one["name"]}`, one])).values()];
  }

  /** A value for a parameter: its example, or one that fits its schema. */
  #value(parameter: Json): unknown {
    const { content } = parameter;
    const [media] = isRecord(content) ? Object.values(content) : [];
    const value = this.#example(parameter) ?? this.#example(media);
    if (value !== undefined) return media === undefined ? value : JSON.stringify(value);
    // Swagger 2.0 writes the schema into the parameter.
    const schema = parameter["schema"] ?? memberOf(media, "schema") ?? parameter;
    const sampled = sampleSchema(schema, this.#references);
    return media === undefined || sampled === undefined ? sampled : JSON.stringify(sampled);
  }

  #example(owner: unknown): unknown {
    const examples = memberOf(owner, "examples");
    const [first] = isRecord(examples) ? Object.values(examples) : [];
    const found = this.#references.resolve(first);
    return memberOf(owner, "example") ?? memberOf(found, "value") ?? memberOf(found, "dataValue");
  }

  #queryRows(parameter: Json): readonly Row[] {
    const { in: place, name: written, required } = parameter;
    if (place !== "query" || typeof written !== "string") return [];
    const value = this.#value(parameter) ?? "";
    return queryPairs(written, value, parameter).map(([key, text]) => ({
      name: key,
      value: [...encodeText([key]), "=", ...encodeText([text])],
      disabled: required !== true,
    }));
  }

  #headers(parameters: readonly Json[]): readonly Row[] {
    return parameters.flatMap((parameter): readonly Row[] => {
      const { in: place, name, required } = parameter;
      if (typeof name !== "string" || IGNORED.test(name)) return [];
      const value = flatten(this.#value(parameter) ?? "", ",");
      const disabled = required !== true;
      if (place === "header") return [{ name, value: [value], disabled }];
      return place === "cookie" ? [{ name: "Cookie", value: [`${name}=${value}`], disabled }] : [];
    });
  }

  #accept(operation: Json): string | undefined {
    const { responses, produces } = operation;
    const first = Object.entries(isRecord(responses) ? responses : {}).find(([status]) =>
      status.startsWith("2"),
    );
    const content = memberOf(this.#references.resolve(first?.[1]), "content");
    const types = this.#isSwagger
      ? listOf(produces ?? this.#document["produces"])
      : Object.keys(isRecord(content) ? content : {});
    const texts = types.filter((type) => typeof type === "string");
    return texts.find(isJsonType) ?? texts[0];
  }

  #body(operation: Json, parameters: readonly Json[], where: string): TypedBody | undefined {
    const media = this.#isSwagger
      ? this.#swaggerMedia(operation, parameters)
      : this.#media(operation);
    if (media === undefined) return undefined;
    const [type, content] = media;
    const example = this.#example(content);
    const schema = memberOf(content, "schema");
    const sample = (): unknown => sampleSchema(schema, this.#references);
    const name = textOf(memberOf(schema, "$ref"))?.replace(/^.*\//, "") ?? "root";
    const build = BODIES.find(([matches]) => matches.test(type))?.[1];
    const typed = build?.({
      type,
      value: example ?? sample(),
      sample,
      xml: (value) => writeXml(name, value, schema, this.#references),
      binary: this.#binaryFields(schema),
    });
    if (typed === undefined) {
      this.#builder.remark("left out", where, `There is no example for the body of type ${type}`);
    }
    return typed;
  }

  /** The media type that is easiest to write. */
  #media(operation: Json): readonly [type: string, content: unknown] | undefined {
    const content = memberOf(this.#references.resolve(operation["requestBody"]), "content");
    if (!isRecord(content)) return undefined;
    const types = Object.entries(content);
    return (
      BODIES.map(([matches]) => types.find(([type]) => matches.test(type))).find(Boolean) ??
      types[0]
    );
  }

  #swaggerMedia(
    operation: Json,
    parameters: readonly Json[],
  ): readonly [string, unknown] | undefined {
    const consumes = listOf(operation["consumes"] ?? this.#document["consumes"]).filter(
      (type) => typeof type === "string",
    );
    const body = parameters.find((one) => one["in"] === "body");
    if (body !== undefined)
      return [consumes.find(isJsonType) ?? consumes[0] ?? "application/json", body];
    const fields = parameters.filter((one) => one["in"] === "formData");
    if (fields.length === 0) return undefined;
    const hasFile = fields.some(({ type }) => type === "file");
    const properties = fields.map(({ type, format, ...rest }) => [
      rest["name"],
      type === "file" ? { ...rest, type: "string", format: "binary" } : { ...rest, type, format },
    ]);
    const type = hasFile || consumes[0]?.startsWith("multipart/") ? "multipart/form-data" : FORM;
    return [type, { schema: { type: "object", properties: Object.fromEntries(properties) } }];
  }

  #binaryFields(schema: unknown): ReadonlySet<string> {
    const properties = memberOf(this.#references.resolve(schema), "properties");
    const names = Object.entries(isRecord(properties) ? properties : {}).filter(([, property]) => {
      const found = this.#references.resolve(property);
      const item = this.#references.resolve(memberOf(found, "items"));
      return [found, item].some((one) => memberOf(one, "format") === "binary");
    });
    return new Set(names.map(([name]) => name));
  }

  /** The first choice of the security requirements; an empty one is no credential. */
  #credentials(operation: Json): readonly ReturnType<typeof credentialRows>[] {
    const [requirement] = listOf(operation["security"] ?? this.#document["security"]);
    const schemes = this.#isSwagger
      ? this.#document["securityDefinitions"]
      : memberOf(this.#document["components"], "securitySchemes");
    return Object.entries(isRecord(requirement) ? requirement : {}).flatMap(([name, scopes]) => {
      const scheme = this.#references.resolve(memberOf(schemes, name));
      const credential = isRecord(scheme) ? toCredential(scheme, listOf(scopes)) : undefined;
      if (credential !== undefined) return [credentialRows(credential, name, this.#builder)];
      const where = `$.components.securitySchemes[${JSON.stringify(name)}]`;
      if (!this.#builder.remarks.some((one) => one.where === where)) {
        const type = JSON.stringify(memberOf(scheme, "type")) ?? "nothing";
        this.#builder.remark(
          "left out",
          where,
          `Credentials of the type ${type} are not supported`,
        );
      }
      return [];
    });
  }
}

interface Place {
  readonly method: string;
  readonly path: string;
  readonly item: Json;
  readonly operation: Json;
  readonly where: string;
}

function swaggerServers({ host, basePath, schemes }: Json): readonly Json[] {
  const path = textOf(basePath) ?? "";
  if (textOf(host) === undefined) return [{ url: path }];
  const known = listOf(schemes).filter((scheme) => scheme === "http" || scheme === "https");
  const sorted = known.length === 0 ? ["https"] : known.toSorted().reverse();
  return sorted.map((scheme) => ({ url: `${scheme}://${host}${path}` }));
}

function describe(
  operation: Json,
  summary: string | undefined,
  parameters: readonly Json[],
): string {
  const description = textOf(operation["description"]);
  const rows = parameters.flatMap(({ name, description: text }) =>
    textOf(text) === undefined ? [] : [`- ${name}: ${String(text).trim().replace(/\s+/g, " ")}`],
  );
  return [
    ...(operation["deprecated"] === true ? ["Deprecated."] : []),
    ...(description === undefined || description === summary ? [] : [description]),
    ...(rows.length === 0 ? [] : [rows.join("\n")]),
  ].join("\n\n");
}

/** A value of a parameter in one text (RFC 6570, simple expansion). */
function flatten(value: unknown, separator: string): string {
  if (Array.isArray(value)) return value.map((one) => flatten(one, separator)).join(separator);
  return isRecord(value)
    ? Object.entries(value).flat().map(scalarText).join(separator)
    : scalarText(value);
}

const SEPARATORS: Readonly<Record<string, string>> = {
  spaceDelimited: " ",
  ssv: " ",
  pipeDelimited: "|",
  pipes: "|",
  tsv: "\t",
};

/** The pairs of a query parameter, by its style. */
function queryPairs(
  name: string,
  value: unknown,
  parameter: Json,
): readonly (readonly [string, string])[] {
  const { style, explode, collectionFormat } = parameter;
  const isSwagger =
    collectionFormat !== undefined || (parameter["schema"] ?? parameter["content"]) === undefined;
  const isExploded = isSwagger
    ? collectionFormat === "multi"
    : explode === true || (explode === undefined && (style ?? "form") === "form");
  if (Array.isArray(value) && isExploded) return value.map((one) => [name, scalarText(one)]);
  if (isRecord(value) && style === "deepObject") {
    return Object.entries(value).map(([key, one]) => [`${name}[${key}]`, scalarText(one)]);
  }
  if (isRecord(value) && isExploded) {
    return Object.entries(value).map(([key, one]) => [key, scalarText(one)]);
  }
  return [[name, flatten(value, SEPARATORS[String(style ?? collectionFormat)] ?? ",")]];
}

const FORM = "application/x-www-form-urlencoded";

interface Sampled {
  readonly type: string;
  readonly value: unknown;
  /** A value of the schema, where an example is of another type. */
  readonly sample: () => unknown;
  readonly xml: (value: unknown) => string;
  /** The fields of a form that are files. */
  readonly binary: ReadonlySet<string>;
}

/** How bodies are written, the preferred types first. */
const BODIES: readonly (readonly [
  matches: RegExp,
  build: (sampled: Sampled) => TypedBody | undefined,
])[] = [
  [
    /^(?:application|text)\/json\b|\+json\b/i,
    ({ type, value }) =>
      textBody(
        [typeof value === "string" ? jsonOf(value) : JSON.stringify(value ?? {}, null, 2)],
        type,
      ),
  ],
  [
    /^application\/x-www-form-urlencoded/i,
    ({ value }) => formBody(fieldsOf(value).map(([name, one]) => [[name], [scalarText(one)]])),
  ],
  [
    /^multipart\//i,
    ({ value, binary }) =>
      multipartBody(
        fieldsOf(value).map(([name, one]) => {
          const field = { name: [name], value: [scalarText(one)] };
          if (binary.has(name))
            return { ...field, fileName: name, type: "application/octet-stream" };
          return typeof one === "object" ? { ...field, type: "application/json" } : field;
        }),
      ),
  ],
  [/^\*\/\*/, ({ value }) => textBody([JSON.stringify(value ?? {}, null, 2)], "application/json")],
  [
    /^(?:application|text)\/xml\b|\+xml\b/i,
    ({ type, value, xml }) =>
      textBody([typeof value === "string" ? value : xml(value ?? {})], type),
  ],
  [
    /^/,
    ({ type, value, sample }) => {
      const text = [value, sample()].find((one) => typeof one === "string");
      if (text === undefined && !type.startsWith("text/")) return undefined;
      return textBody([text ?? "text"], type);
    },
  ],
];

/** Headers that other members say (https://spec.openapis.org/oas/v3.1.1.html#parameter-object), or the client. */
const IGNORED = /^(?:accept|content-type|authorization|content-length|transfer-encoding)$/i;

/** An example of a JSON body may be its text. */
function jsonOf(value: string): string {
  try {
    return typeof JSON.parse(value) === "object" ? value : JSON.stringify(value);
  } catch {
    // It is a string of JSON.
    return JSON.stringify(value);
  }
}

function fieldsOf(value: unknown): readonly (readonly [name: string, value: unknown])[] {
  return isRecord(value) ? Object.entries(value) : [];
}

const GRANTS = [
  ["clientCredentials", "client_credentials"],
  ["application", "client_credentials"],
  ["authorizationCode", "authorization_code"],
  ["accessCode", "authorization_code"],
  ["deviceAuthorization", "device_code"],
  ["password", "password"],
] as const;

function toCredential(scheme: Json, scopes: readonly unknown[]): Credential | undefined {
  const { type, name, in: place, scheme: http, openIdConnectUrl } = scheme;
  const kind = String(http).toLowerCase();
  if (type === "basic" || (type === "http" && kind === "basic")) return { type: "basic" };
  if (type === "http" && kind === "digest") return { type: "digest" };
  if (type === "http" && kind === "bearer") return { type: "bearer" };
  if (type === "apiKey" && typeof name === "string") {
    const isAuthorization = place === "header" && name.toLowerCase() === "authorization";
    if (isAuthorization) return { type: "bearer", scheme: "" };
    if (place === "header" || place === "query" || place === "cookie")
      return { type, name, in: place };
  }
  const scope = scopes.filter((one) => typeof one === "string").join(" ");
  const shared = {
    clientId: undefined,
    clientSecret: undefined,
    ...(scope === "" ? {} : { scope: [scope] }),
  };
  if (type === "openIdConnect" && typeof openIdConnectUrl === "string") {
    const issuer = openIdConnectUrl.replace(/\/\.well-known\/.*$/, "");
    return { type: "oauth2", grant: "authorization_code", fields: { ...shared, issuer: [issuer] } };
  }
  if (type !== "oauth2") return undefined;
  const flows = isRecord(scheme["flows"]) ? scheme["flows"] : { [String(scheme["flow"])]: scheme };
  const found = GRANTS.find(([flow]) => isRecord(flows[flow]));
  // What is left is the implicit grant: a person gets the token.
  if (found === undefined) return { type: "bearer" };
  const [flow, grant] = found;
  const url = (key: string): Text | undefined => {
    const value = textOf(memberOf(flows[flow], key));
    return value === undefined ? undefined : [value];
  };
  const endpoints = {
    tokenEndpoint: url("tokenUrl"),
    ...(grant === "authorization_code" ? { authorizationEndpoint: url("authorizationUrl") } : {}),
    ...(grant === "device_code"
      ? { deviceAuthorizationEndpoint: url("deviceAuthorizationUrl") }
      : {}),
    ...(grant === "password" ? { username: undefined, password: undefined } : {}),
  };
  return { type: "oauth2", grant, fields: { ...shared, ...endpoints } };
}
