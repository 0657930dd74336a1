import { parse, type ScalarTag, type Tags } from "yaml";
import { isRecord, JSON_NUMBER, memberOf } from "../interpolation/mod.ts";
import { parseJson, parseNumber } from "../json/mod.ts";
import { decodePointerStep } from "../schema/mod.ts";

/** A JSON object. */
export type Json = Readonly<Record<string, unknown>>;

/** An OpenAPI description: https://spec.openapis.org/oas/v3.1.1.html. */
export interface Description {
  /** What messages call it, for example its path. */
  readonly name: string;
  /** Whether its schemas are those of 3.0, which are not JSON Schema. */
  readonly isVersion30: boolean;
  /** The description. */
  readonly document: Json;
}

/** A description that cannot be used; the message says why. */
export class OpenApiError extends Error {
  /** Always `OpenApiError`. */
  override readonly name = "OpenApiError";
}

/**
 * Reads a description in JSON or YAML.
 *
 * @param name What messages call it.
 * @throws {OpenApiError} It is neither, or not OpenAPI 3.0 or 3.1.
 */
export function readDescription(text: string, name: string): Description {
  const fail = (reason: string): OpenApiError =>
    new OpenApiError(`Reading the description "${name}" failed: ${reason}`);
  const document = parseText(text.replace(/^\uFEFF/, ""), fail);
  if (!isRecord(document)) throw fail("it is not an object");
  const { openapi, paths, swagger } = document;
  if (swagger !== undefined) {
    throw fail("it is OpenAPI 2.0 (Swagger); convert it to 3.0 or 3.1");
  }
  if (typeof openapi !== "string" || !/^3\.[01](?:\.|$)/.test(openapi)) {
    throw fail(
      `its "openapi" is ${JSON.stringify(openapi) ?? "missing"}; 3.0 and 3.1 are supported`,
    );
  }
  if (!isRecord(paths)) throw fail('it has no object "paths"');
  return { name, isVersion30: openapi.startsWith("3.0"), document };
}

function parseText(text: string, fail: (reason: string) => OpenApiError): unknown {
  try {
    // JSON is parsed by its own parser, which is faster.
    if (text.trimStart().startsWith("{")) return parseJson(text);
  } catch {
    // YAML in braces, or a fault that the next parser gives a position of.
  }
  try {
    const document: unknown = parse(text, { logLevel: "error", customTags: withAllDigits });
    // An alias within its own anchor makes an endless structure.
    JSON.stringify(document, (_name, value) => (typeof value === "bigint" ? 0 : value));
    return document;
  } catch (error) {
    const [reason = ""] = (error as Error).message.split("\n", 1);
    throw fail(`it is neither JSON nor YAML: ${reason.replace(/:$/, "")}`);
  }
}

/** Numbers as in JSON: a limit of 9007199254740993 is not rounded. */
function withAllDigits(tags: Tags): Tags {
  return tags.map((tag) => {
    if (typeof tag !== "object" || !/:(?:int|float)$/.test(tag.tag)) return tag;
    const usual = tag as ScalarTag;
    const exact: ScalarTag = {
      ...usual,
      resolve: (text, onError, options) =>
        JSON_NUMBER.test(text) ? parseNumber(text) : usual.resolve(text, onError, options),
    };
    return exact;
  });
}

/** A chain of references is shorter, unless it is a circle. */
const LONGEST_CHAIN = 32;

/** Follows references within the description; nothing if one leads elsewhere, or in a circle. */
export function resolveReference({ document }: Description, value: unknown): unknown {
  let found = value;
  for (let count = 0; count < LONGEST_CHAIN; count++) {
    const reference = memberOf(found, "$ref");
    if (typeof reference !== "string") return found;
    if (!reference.startsWith("#/")) return undefined;
    found = reference
      .slice(2)
      .split("/")
      .map(decodePointerStep)
      .reduce<unknown>(memberOf, document);
  }
  return undefined;
}

/** An operation of a description. */
export interface Operation {
  /** The method in upper case. */
  readonly method: string;
  /** The path with its templates, for example `/users/{id}`. */
  readonly path: string;
  /** The operation. */
  readonly operation: Json;
  /** The parameters of the path and of the operation, without references. */
  readonly parameters: readonly Json[];
}

/** A path of a description with its operations. */
interface PathItem {
  readonly path: string;
  readonly patterns: readonly RegExp[];
  readonly operations: ReadonlyMap<string, Operation>;
}

/** The operations of a description. */
interface Operations {
  /** All of them, in order. */
  readonly all: readonly Operation[];
  /** Finds the operation of a request; with the methods of its path if there is none. */
  find(method: string, url: string): Operation | { readonly methods: readonly string[] };
}

const METHODS = ["get", "put", "post", "delete", "options", "head", "patch", "trace"];

/** Reads the operations of a description. What is not valid in it is passed over. */
export function readOperations(description: Description): Operations {
  const items = Object.entries(memberOf(description.document, "paths") as Json)
    .filter(([path]) => path.startsWith("/"))
    .map(([path, item]) => readPath(path, resolveReference(description, item), description));
  // Without templates first: /users/me before /users/{id}.
  const sorted = items.toSorted((one, other) => templatesIn(one.path) - templatesIn(other.path));
  return {
    all: items.flatMap(({ operations }) => [...operations.values()]),
    find(method, url) {
      const pathname = pathOf(url);
      const matching = sorted.filter(({ patterns }) => patterns.some((one) => one.test(pathname)));
      const operations = matching.map((one) => one.operations.get(method.toUpperCase()));
      const found = operations.find((one) => one !== undefined);
      return found ?? { methods: [...(matching[0]?.operations.keys() ?? [])] };
    },
  };
}

function readPath(path: string, item: unknown, description: Description): PathItem {
  const operations = METHODS.flatMap((name): readonly Operation[] => {
    const operation = memberOf(item, name);
    if (!isRecord(operation)) return [];
    const parameters = parametersOf([item, operation], description);
    return [{ method: name.toUpperCase(), path, operation, parameters }];
  });
  const servers = [
    memberOf(description.document, "servers"),
    memberOf(item, "servers"),
    ...operations.map(({ operation }) => operation["servers"]),
  ];
  const bases = [...new Set(["", ...servers.flatMap(basePaths)])];
  return {
    path,
    patterns: bases.map((base) => toPattern(base + path)),
    operations: new Map(operations.map((operation) => [operation.method, operation])),
  };
}

/** The parameters of a path and of its operation, which overrides those of the same place and name. */
function parametersOf(owners: readonly unknown[], description: Description): readonly Json[] {
  const parameters = owners.flatMap((owner) => {
    const list = memberOf(owner, "parameters");
    return (Array.isArray(list) ? list : [])
      .map((parameter) => resolveReference(description, parameter))
      .filter(isRecord);
  });
  return [...new Map(parameters.map((one) => [`${one["in"]} ${one["name"]}`, one])).values()];
}

/** The most paths of one server: its variables may have many values. */
const MOST_PATHS = 1_000;

/** The paths of servers. Their origins are not compared: documents are run against other ones, too. */
function basePaths(servers: unknown): readonly string[] {
  if (!Array.isArray(servers)) return [];
  return servers.flatMap((server) => {
    const url = memberOf(server, "url");
    if (typeof url !== "string") return [];
    const variables = memberOf(server, "variables");
    const [first = "", ...parts] = url.split(/\{([^{}]*)\}/);
    let filled = [first];
    for (let at = 0; at < parts.length; at += 2) {
      const values = valuesOf(memberOf(variables, parts[at] ?? ""));
      const texts = filled.flatMap((text) => values.map((value) => text + value + parts[at + 1]));
      filled = texts.slice(0, MOST_PATHS);
    }
    return filled.map((text) => pathOf(text).replace(/\/+$/, ""));
  });
}

/** The values that a variable of a server may have. */
function valuesOf(variable: unknown): readonly string[] {
  const listed = memberOf(variable, "enum");
  const values = [memberOf(variable, "default"), ...(Array.isArray(listed) ? listed : [])];
  const texts = values.filter((one) => typeof one === "string" || typeof one === "number");
  return texts.length === 0 ? [""] : [...new Set(texts.map(String))];
}

function pathOf(url: string): string {
  try {
    return new URL(url, "http://localhost/").pathname;
  } catch {
    return url.replace(/[?#].*/s, "");
  }
}

/** One template for each segment is enough: several could match the same text in many ways. */
function toPattern(path: string): RegExp {
  const segments = path.split("/").map((segment) => {
    const first = segment.indexOf("{");
    const last = segment.lastIndexOf("}");
    if (first < 0 || last < first) return escapePattern(encodeSegment(segment));
    const [before, after] = [segment.slice(0, first), segment.slice(last + 1)];
    return `${escapePattern(encodeSegment(before))}[^/]+${escapePattern(encodeSegment(after))}`;
  });
  return new RegExp(`^${segments.join("/")}$`);
}

function encodeSegment(text: string): string {
  return pathOf(`/${text}`).slice(1);
}

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}

function templatesIn(path: string): number {
  return path.split("{").length - 1;
}
