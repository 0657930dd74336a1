import { isRecord } from "../interpolation/mod.ts";

/** A schema, or a part of it. */
export type Json = Readonly<Record<string, unknown>>;

/** The rules that a schema is read by; `openapi-3.0` has those of draft 4, and `nullable`. */
export type Dialect = "openapi-3.0" | 4 | 6 | 7 | 2019 | 2020;

/** A schema cannot be used; the message says why, and follows a colon. */
export class SchemaError extends Error {
  /** Always `SchemaError`. */
  override readonly name = "SchemaError";
}

/** A document, or a schema with a URI of its own in it: what references and anchors are relative to. */
export interface Resource {
  /** Its URI, without a fragment. */
  readonly uri: string;
  /** Its value. */
  readonly root: unknown;
  /** How its schemas are read. */
  readonly dialect: Dialect;
  /** Its schemas with an anchor. */
  readonly anchors: Map<string, unknown>;
  /** Those of the anchors that a dynamic reference finds from outside. */
  readonly dynamic: Map<string, unknown>;
  /** Whether `minimum` and the like check anything: the vocabulary of its dialect may lack them. */
  readonly asserts: boolean;
}

/** A schema, and what its references are relative to. */
export interface Located {
  readonly schema: unknown;
  readonly resource: Resource;
}

const DIALECTS: readonly (readonly [pattern: RegExp, dialect: Dialect])[] = [
  [/\/draft-04\//, 4],
  [/\/draft-06\//, 6],
  [/\/draft-07\//, 7],
  [/\/draft\/2019-09\//, 2019],
  [/\/draft\/2020-12\/|\/oas\/3\.1\//, 2020],
];

/** The dialect that a `$schema` names, if it is known. */
export function dialectOf(uri: unknown): Dialect | undefined {
  return DIALECTS.find(([pattern]) => pattern.test(String(uri)))?.[1];
}

/** The keywords whose value is a schema or a list of schemas, and those that have schemas by name. */
const WITH_SCHEMAS = words(
  "items additionalItems additionalProperties unevaluatedProperties unevaluatedItems contains propertyNames not if " +
    "then else contentSchema allOf anyOf oneOf prefixItems",
);
const WITH_NAMED_SCHEMAS = words(
  "properties patternProperties dependentSchemas dependencies $defs definitions",
);

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(" "));
}

/** Before `$anchor`, siblings of `$ref` were ignored. */
export function ignoresSiblings(dialect: Dialect): boolean {
  return dialect === "openapi-3.0" || dialect <= 7;
}

const DEEPEST = 500;

/** Schemas by their URIs. Nothing is loaded: what is not added does not exist. */
export class Schemas {
  readonly #resources = new Map<string, Resource>();
  readonly #roots = new WeakMap<object, Resource>();
  readonly #found = new Map<string, Located>();
  readonly #references: (readonly [reference: string, from: Resource])[] = [];

  /**
   * Adds a document.
   *
   * @param isSchema Whether it is a schema; if it only contains some, they are added by `collect`.
   */
  add(uri: string, root: unknown, dialect: Dialect, isSchema = true): Resource {
    const resource = this.#open(uri, root, dialect);
    if (isSchema) this.collect(root, resource);
    return this.resourceOf(root, resource);
  }

  /** The resource of a schema: its own, or the one that it is in. */
  resourceOf(schema: unknown, around: Resource): Resource {
    return (isRecord(schema) ? this.#roots.get(schema) : undefined) ?? around;
  }

  /** Finds the URIs and the anchors in a schema, as far as the stack has room for it. */
  collect(schema: unknown, around: Resource, depth = 0): void {
    if (!isRecord(schema) || depth > DEEPEST) return;
    const resource = this.#identify(schema, around);
    const { $ref } = schema;
    if (typeof $ref === "string") this.#references.push([$ref, resource]);
    for (const [keyword, value] of Object.entries(schema)) {
      for (const one of subschemasOf(keyword, value)) this.collect(one, resource, depth + 1);
    }
  }

  /**
   * Finds what a reference leads to.
   *
   * @throws {SchemaError} It leads nowhere.
   */
  resolve(reference: string, from: Resource): Located {
    const key = `${from.uri} ${reference}`;
    const known = this.#found.get(key) ?? this.#find(reference, from);
    this.#found.set(key, known);
    return known;
  }

  /**
   * Checks the references in what was added, also those that no value leads to.
   *
   * @throws {SchemaError} One leads nowhere.
   */
  checkReferences(): void {
    for (const [reference, from] of this.#references) this.resolve(reference, from);
  }

  #find(reference: string, from: Resource): Located {
    const fail = (): SchemaError =>
      new SchemaError(
        `the "$ref" ${JSON.stringify(reference)} does not exist in it, and other schemas are not loaded`,
      );
    const uri = resolveUri(reference, from.uri);
    const [base = "", fragment = ""] = uri?.split("#") ?? [];
    const resource = this.#resources.get(base);
    if (resource === undefined) throw fail();
    const name = decode(fragment);
    if (name === "") return { schema: resource.root, resource };
    const found = name.startsWith("/")
      ? this.#follow(fragment, resource)
      : { schema: resource.anchors.get(name), resource };
    if (found.schema === undefined) throw fail();
    return found;
  }

  /** A pointer may lead through schemas with URIs of their own. */
  #follow(pointer: string, from: Resource): Located {
    let located: Located = { schema: from.root, resource: from };
    for (const encoded of pointer.split("/").slice(1)) {
      const step = decodePointerStep(encoded);
      const { schema } = located;
      const isThere = typeof schema === "object" && schema !== null && Object.hasOwn(schema, step);
      const inner: unknown = isThere ? Reflect.get(schema, step) : undefined;
      located = { schema: inner, resource: this.resourceOf(inner, located.resource) };
    }
    return located;
  }

  #open(uri: string, root: unknown, around: Dialect): Resource {
    const own = isRecord(root) ? root["$schema"] : undefined;
    const meta = typeof own === "string" ? this.#resources.get(own.replace(/#$/, "")) : undefined;
    const dialect = dialectOf(own) ?? meta?.dialect ?? around;
    const vocabulary = isRecord(meta?.root) ? meta.root["$vocabulary"] : undefined;
    const asserts =
      !isRecord(vocabulary) ||
      Object.keys(vocabulary).some((one) => one.endsWith("/vocab/validation"));
    const resource = { uri, root, dialect, anchors: new Map(), dynamic: new Map(), asserts };
    this.#resources.set(uri, resource);
    return resource;
  }

  /** Opens the resource of a schema with a URI of its own, and notes its anchors. */
  #identify(schema: Json, around: Resource): Resource {
    const { dialect } = around;
    const isReference = ignoresSiblings(dialect) && typeof schema["$ref"] === "string";
    if (dialect === "openapi-3.0" || isReference) return around;
    const id = schema[dialect === 4 ? "id" : "$id"];
    let resource = around;
    const uri = typeof id === "string" ? resolveUri(id, around.uri) : undefined;
    const [base, name = ""] = uri?.split("#") ?? [];
    if (base !== undefined && (base !== around.uri || schema === around.root)) {
      resource = base === around.uri ? around : this.#open(base, schema, dialect);
      this.#roots.set(schema, resource);
    }
    if (name !== "" && !name.startsWith("/")) resource.anchors.set(decode(name), schema);
    const { $anchor, $dynamicAnchor, $recursiveAnchor } = schema;
    if (typeof $anchor === "string") resource.anchors.set($anchor, schema);
    if (typeof $dynamicAnchor === "string") {
      resource.anchors.set($dynamicAnchor, schema);
      resource.dynamic.set($dynamicAnchor, schema);
    }
    if ($recursiveAnchor === true) resource.dynamic.set("", schema);
    return resource;
  }
}

function subschemasOf(keyword: string, value: unknown): readonly unknown[] {
  if (WITH_SCHEMAS.has(keyword)) return Array.isArray(value) ? value : [value];
  return WITH_NAMED_SCHEMAS.has(keyword) && isRecord(value) ? Object.values(value) : [];
}

function resolveUri(reference: string, base: string): string | undefined {
  return URL.canParse(reference, base)
    ? new URL(reference, base).href.replace(/#$/, "")
    : undefined;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Decodes a step of a JSON Pointer in a URI fragment (RFC 6901, section 6). */
export function decodePointerStep(step: string): string {
  return decode(step).replaceAll("~1", "/").replaceAll("~0", "~");
}
