import {
  contentOf,
  type Exchange,
  maskExchange,
  parseMediaType,
  toStrictText,
} from "../exchange/mod.ts";
import { isMaskedText, type RecordedEntry } from "../har/mod.ts";
import { fitShape, inferShape, parseJson, type VerifyRule } from "../json/mod.ts";
import { findHeader, isJsonType } from "../request/mod.ts";
import {
  combineSecrets,
  createMasker,
  createRedactor,
  type Masker,
  type Masking,
  maskValue,
  type Redactor,
} from "../secrets/mod.ts";
import { type Omission, type ResponseSummary, toStoredBody } from "./response-summary.ts";

/** The default limit in characters of JSON: the shape of a usual response is much shorter. */
const LIMIT = 4_000;
/** Bytes. A notebook shows only the beginning of a longer body, and reading all of it would delay the answer. */
const MAX_READ = 1_000_000;

/** Options of {@link summarizeResponse}. */
export interface SummaryOptions {
  /** How many characters of JSON the shape, and the body, may have; infinite if they are not stored. */
  readonly limit?: number;
  /** Whether the method and the URL are those of the last hop, as in a recording. */
  readonly lastHop?: boolean;
}

/** Summarizes the response of an exchange, without secrets. */
export function summarizeResponse(
  exchange: Exchange,
  rule: VerifyRule | undefined = exchange.request.verify,
  options: SummaryOptions = {},
): ResponseSummary {
  const masking = combineSecrets(exchange.secrets);
  const masked = maskExchange(exchange, masking);
  const { masker } = masked;
  const { status, mediaType } = exchange;
  const { name } = exchange.request;
  const { length } = contentOf(exchange);
  const isWhole =
    !exchange.cut && (options.limit === Number.POSITIVE_INFINITY || length <= MAX_READ);
  const isJson = isJsonType(mediaType);
  const body = (): unknown => {
    if (isJson) return exchange.json;
    return toStrictText(contentOf(exchange).whole()) === undefined ? undefined : exchange.text;
  };
  const secrets = secretsOf(masking, masker, mediaType);
  return {
    name: name && masker.mask(name),
    method: options.lastHop === true ? lastMethod(exchange) : masked.request.method,
    url: (options.lastHop === true ? masked.url : masked.request.url).replace(/#.*/s, ""),
    status,
    type: mediaType,
    ...summarizeBody(
      { type: mediaType, isEmpty: length === 0, isWhole, body, secrets },
      rule,
      options,
    ),
  };
}

/** Summarizes the response of a recorded request, without secrets. */
export function summarizeRecorded(
  { method, url, response }: RecordedEntry,
  rule: VerifyRule | undefined,
  masking: Masking,
): ResponseSummary {
  const { essence: type } = parseMediaType(findHeader(response.headers, "content-type") ?? null);
  const { text, isBase64, size } = response.content;
  const body = (): unknown => (isJsonType(type) ? parseJson(text ?? "") : text);
  const isEmpty = (text ?? "") === "" && size <= 0;
  const isWhole = text !== undefined && !isBase64;
  const secrets = secretsOf(masking, createMasker(masking), type);
  const limit = Number.POSITIVE_INFINITY;
  return {
    method,
    url: masking.mask(url.replace(/#.*/s, "")),
    status: response.status,
    type,
    ...summarizeBody({ type, isEmpty, isWhole, body, secrets }, rule, { limit }),
  };
}

interface Body {
  readonly type: string;
  readonly isEmpty: boolean;
  /** Whether all of it is there. */
  readonly isWhole: boolean;
  /** Reads it; it may throw. */
  readonly body: () => unknown;
  readonly secrets: BodySecrets;
}

/** What masks a body: as a whole, or part by part. */
interface BodySecrets {
  readonly mask: (value: unknown) => unknown;
  readonly redactor: Redactor;
}

function secretsOf(masking: Masking, masker: Masker, type: string): BodySecrets {
  return {
    mask: (value) =>
      isJsonType(type) ? maskValue(value, masking, masker) : masker.body(String(value), type),
    redactor: createRedactor((text) => masker.mask(text), masking.isSecretName),
  };
}

function summarizeBody(
  { type, isEmpty, isWhole, body, secrets }: Body,
  rule: VerifyRule | undefined,
  { limit = LIMIT }: SummaryOptions,
): Pick<ResponseSummary, "shape" | "body" | "omitted"> {
  const isJson = isJsonType(type);
  const isExact = rule?.mode === "exact";
  if (isEmpty || !(isJson || isExact)) return {};
  const value = isWhole ? attempt(body) : undefined;
  if (value === undefined) return { omitted: isExact ? ["shape", "body"] : ["shape"] };
  const omitted: Omission[] = [];
  const fitted = isJson
    ? fitShape(inferShape(value, isMaskedText, secrets.redactor), limit)
    : undefined;
  if (fitted?.isCut) omitted.push("shape");
  const kept = isExact ? toStoredBody(secrets.mask(value), rule.ignore) : undefined;
  const fits = (JSON.stringify(kept) ?? "").length <= limit;
  if (!fits) omitted.push("body");
  return {
    shape: fitted?.shape,
    body: fits ? kept : undefined,
    omitted: omitted.length === 0 ? undefined : omitted,
  };
}

/** A recording has the handshake of a WebSocket as the GET that it is. */
function lastMethod({ hops, request }: Exchange): string {
  const method = hops.at(-1)?.method ?? request.method;
  return method === "WEBSOCKET" ? "GET" : method;
}

/** A body that is not what its media type says has no shape. */
function attempt(read: () => unknown): unknown {
  try {
    return read();
  } catch {
    return undefined;
  }
}
