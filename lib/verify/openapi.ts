import type { LimitTime } from "../assertions/mod.ts";
import { contentOf, type Exchange, parseMediaType } from "../exchange/mod.ts";
import { isRecord, memberOf, type Path, pathText } from "../interpolation/mod.ts";
import { parseJson } from "../json/mod.ts";
import { findHeader, isJsonType } from "../request/mod.ts";
import {
  type Description,
  type Json,
  type Operation,
  readOperations,
  resolveReference,
} from "./openapi-description.ts";
import { createSchemas, type ValidateSchema } from "./openapi-schemas.ts";

/** One difference between an exchange and the description. It may contain secrets. */
interface OpenApiFinding {
  /** Where it is: `request`, `status`, `type`, or a JSONPath, after `request` in the body of the request. */
  readonly place: string;
  /** The path in the body, if it is there. */
  readonly path?: Path;
  /** What the description says; empty if `found` says it. */
  readonly promised: string;
  /** What was sent or received, or what is wrong with it. */
  readonly found: string;
}

/** Compares exchanges with a description, and keeps which of it they cover. */
export interface OpenApiChecker {
  /** Returns the differences of an exchange. */
  check(exchange: Exchange): readonly OpenApiFinding[];
  /** Returns the operations, and the statuses of operations, that no exchange has covered. */
  uncovered(): readonly string[];
}

/**
 * Creates a checker that has seen no exchange yet.
 *
 * @param limitTime Ends the regular expressions of the description; by default they take as long as they do.
 */
export function createOpenApiChecker(
  description: Description,
  limitTime: LimitTime = (run) => run(),
): OpenApiChecker {
  const operations = readOperations(description);
  const schemas = createSchemas(description, limitTime);
  const covered = new Map<Operation, Set<string>>();
  return {
    check(exchange) {
      const { method, url } = exchange.request;
      const operation = operations.find(method, url);
      if ("methods" in operation) return [undescribed(exchange, operation.methods)];
      const responses = memberOf(operation.operation, "responses");
      const key = statusKey(responses, exchange.status);
      const keys = covered.get(operation) ?? new Set();
      covered.set(operation, keys);
      if (key !== undefined) keys.add(key);
      return [
        ...checkParameters(operation, exchange),
        ...checkRequestBody(operation, exchange, description, schemas.request),
        ...checkResponse(responses, key, exchange, description, schemas.response),
      ];
    },
    uncovered: () =>
      operations.all.flatMap((operation) => {
        const title = `${operation.method} ${operation.path}`;
        const keys = covered.get(operation);
        if (keys === undefined) return [title];
        const statuses = Object.keys(asJson(memberOf(operation.operation, "responses")));
        return statuses.filter((one) => !keys.has(one)).map((one) => `${title} ${one}`);
      }),
  };
}

function undescribed({ request }: Exchange, methods: readonly string[]): OpenApiFinding {
  const path = request.url.replace(/^[a-z]+:\/\/[^/]*/i, "").replace(/[?#].*/s, "");
  const promised = methods.length === 0 ? "no such path" : methods.join(", ");
  return { place: "request", promised, found: `${request.method} ${path}` };
}

/** The key of a status in the responses of an operation: `404`, `4XX` or `default`. */
function statusKey(responses: unknown, status: number): string | undefined {
  const range = `${Math.floor(status / 100)}XX`;
  const wanted = [`${status}`, range, range.toLowerCase(), "default"];
  return wanted.find((key) => memberOf(responses, key) !== undefined);
}

function* checkParameters(
  { parameters }: Operation,
  { request }: Exchange,
): Generator<OpenApiFinding> {
  const query = new URL(request.url).searchParams;
  for (const { name, in: place, required } of parameters) {
    if (required !== true || typeof name !== "string") continue;
    const isMissing =
      (place === "query" && !query.has(name)) ||
      (place === "header" && findHeader(request.headers, name.toLowerCase()) === undefined);
    if (isMissing) yield { place: "request", promised: `${place} "${name}"`, found: "missing" };
  }
}

function* checkRequestBody(
  { operation }: Operation,
  { request }: Exchange,
  description: Description,
  validate: ValidateSchema,
): Generator<OpenApiFinding> {
  const written = operation["requestBody"];
  const described = resolveReference(description, written);
  yield* checkReference(written, described, "request");
  if (!isRecord(described) || request.streamed !== undefined) return;
  const { body } = request;
  if (body === undefined || body.length === 0) {
    if (described["required"] === true) {
      yield { place: "request", promised: "a body", found: "none" };
    }
    return;
  }
  const { essence } = parseMediaType(findHeader(request.headers, "content-type") ?? null);
  const content = asJson(described["content"]);
  const text = typeof body === "string" ? body : new TextDecoder().decode(body);
  const sent = { mediaType: essence, size: text.length, read: () => parseJson(text) };
  const findings = checkBody(content, sent, validate);
  for (const finding of findings) yield { ...finding, place: `request ${finding.place}` };
}

function* checkResponse(
  responses: unknown,
  key: string | undefined,
  exchange: Exchange,
  description: Description,
  validate: ValidateSchema,
): Generator<OpenApiFinding> {
  if (key === undefined) {
    const promised = Object.keys(asJson(responses)).join(", ") || "no response";
    yield { place: "status", promised, found: `${exchange.status}` };
    return;
  }
  const written = memberOf(responses, key);
  const described = resolveReference(description, written);
  yield* checkReference(written, described, "response");
  yield* checkHeaders(memberOf(described, "headers"), exchange, description);
  const content = memberOf(described, "content");
  if (!isRecord(content) || Object.keys(content).length === 0 || !hasWholeBody(exchange)) return;
  const { length: size } = contentOf(exchange);
  const { mediaType } = exchange;
  if (size > 0) yield* checkBody(content, { mediaType, size, read: () => exchange.json }, validate);
  else if (promisesJson(content, mediaType)) {
    yield EMPTY;
  }
}

const EMPTY: OpenApiFinding = { place: "$", path: [], promised: "JSON", found: "an empty body" };

/** Statuses of responses without a body, or with a part of it. */
const WITHOUT_BODY: ReadonlySet<number> = new Set([101, 204, 205, 206, 304]);

function hasWholeBody({ request, status, cut, saved }: Exchange): boolean {
  return request.method !== "HEAD" && !WITHOUT_BODY.has(status) && !cut && saved === undefined;
}

/** Whether a body of this media type, or of any if there is none, must be JSON, which is never empty. */
function promisesJson(content: Json, mediaType: string): boolean {
  const entries = Object.entries(content);
  const described = entries.filter(([range]) => mediaType === "" || matchesRange(range, mediaType));
  return (
    described.length > 0 &&
    described.every(([range, media]) => {
      const type = mediaType === "" ? essenceOf(range) : mediaType;
      return isJsonType(type) && memberOf(media, "schema") !== undefined;
    })
  );
}

function* checkHeaders(
  headers: unknown,
  exchange: Exchange,
  description: Description,
): Generator<OpenApiFinding> {
  for (const [name, written] of Object.entries(asJson(headers))) {
    const header = resolveReference(description, written);
    // Its type is that of the content; https://spec.openapis.org/oas/v3.1.1.html#response-object.
    if (memberOf(header, "required") !== true || /^content-type$/i.test(name)) continue;
    if (exchange.headers.has(name)) continue;
    yield { place: "response", promised: `header "${name}"`, found: "missing" };
  }
}

/** Nothing is known of what a reference leads to outside of the description: a body could be anything. */
function* checkReference(
  written: unknown,
  resolved: unknown,
  place: "request" | "response",
): Generator<OpenApiFinding> {
  if (resolved !== undefined || written === undefined) return;
  const reference = JSON.stringify(memberOf(written, "$ref"));
  const found = `The description cannot be used: unresolved $ref ${reference}`;
  yield { place, promised: "", found };
}

/** A body, and how it is read. */
interface Body {
  readonly mediaType: string;
  /** Characters or bytes. */
  readonly size: number;
  readonly read: () => unknown;
}

function* checkBody(
  content: Json,
  { mediaType, size, read }: Body,
  validate: ValidateSchema,
): Generator<OpenApiFinding> {
  const described = Object.entries(content).find(([range]) => matchesRange(range, mediaType));
  if (described === undefined) {
    yield { place: "type", promised: Object.keys(content).join(", "), found: mediaType || "none" };
    return;
  }
  const schema = memberOf(described[1], "schema");
  if (schema === undefined || !isJsonType(mediaType)) return;
  let value: unknown;
  try {
    value = read();
  } catch {
    yield { place: "$", promised: "JSON", found: "not JSON" };
    return;
  }
  // Blanks alone are no JSON either.
  if (value === undefined) {
    yield EMPTY;
    return;
  }
  for (const { path, message } of validate(schema, value, size)) {
    yield { place: pathText(path), path, promised: "", found: message };
  }
}

function matchesRange(range: string, mediaType: string): boolean {
  const wanted = essenceOf(range);
  if (wanted === mediaType || wanted === "*/*") return true;
  return wanted.endsWith("/*") && mediaType.startsWith(wanted.slice(0, -1));
}

function essenceOf(range: string): string {
  return (range.toLowerCase().split(";", 1)[0] ?? "").trim();
}

function asJson(value: unknown): Json {
  return isRecord(value) ? value : {};
}
