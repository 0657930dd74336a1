import { parse } from "yaml";
import { isRecord, memberOf } from "../interpolation/mod.ts";

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
    if (text.trimStart().startsWith("{")) return JSON.parse(text);
  } catch {
    // YAML in braces, or a fault that the next parser gives a position of.
  }
  try {
    const document: unknown = parse(text, { logLevel: "error" });
    // An alias within its own anchor makes an endless structure.
    JSON.stringify(document);
    return document;
  } catch (error) {
    const [reason = ""] = (error as Error).message.split("\n", 1);
    throw fail(`it is neither JSON nor YAML: ${reason.replace(/:$/, "")}`);
  }
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

/** Decodes a step of a JSON Pointer in a URI fragment (RFC 6901, section 6). */
export function decodePointerStep(step: string): string {
  try {
    return decodeURIComponent(step).replaceAll("~1", "/").replaceAll("~0", "~");
  } catch {
    return step;
  }
}
