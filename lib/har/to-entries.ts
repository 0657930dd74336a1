import {
  type ConnectionDetails,
  contentOf,
  type DiscardedBody,
  decodeText,
  type Exchange,
  type ExchangeHop,
  fromBase64,
  LOOKED_AT,
  maskExchange,
  parseMediaType,
  type SentRequest,
  sentHeaders,
  toBase64,
  toStrictText,
} from "../exchange/mod.ts";
import { renderJson, type Value } from "../interpolation/mod.ts";
import { parseWrittenJson } from "../json/mod.ts";
import { beginsAsJson, findHeader } from "../request/mod.ts";
import { combineSecrets, type Masker, type Masking } from "../secrets/mod.ts";
import type {
  HarBody,
  HarContent,
  HarEntry,
  HarMessage,
  HarPair,
  HarRequest,
  HarResponse,
  HarTimings,
} from "./har.ts";
import { type MaskedBody, maskBodyForFile, maskedType, maskHeadersForFile } from "./masked.ts";

/** What masks the parts of an exchange. */
interface Masks {
  readonly masking: Masking;
  readonly masker: Masker;
  /** Why no body is recorded. */
  readonly omission: string | undefined;
}

/** Which hops become entries. */
export interface EntryOptions {
  /** Leaves out the hops that a recording answered. */
  readonly onlySent?: boolean | undefined;
  /** Why bodies and messages are left out, for the comments in their place. */
  readonly omission?: string | undefined;
}

/**
 * Converts an exchange to HAR entries, one for each hop, without secrets. The bodies of redirects, challenges and
 * retries are cut after 64 KiB.
 */
export function toHarEntries(
  exchange: Exchange,
  { onlySent = false, omission }: EntryOptions = {},
): readonly HarEntry[] {
  const isMedia = /^(?:image|audio|video|font)\//.test(exchange.mediaType);
  // Only the beginning of a long body is searched for secrets before its text is read.
  if (!isMedia && contentOf(exchange).length > LOOKED_AT) void exchange.text;
  for (const { response } of exchange.hops) learnDiscarded(response, exchange.secrets);
  const masking = combineSecrets(exchange.secrets);
  const { masker } = maskExchange(exchange, masking);
  const masks = { masking, masker, omission: omission && masker.mask(omission) };
  const hops = exchange.hops.length === 0 ? [hopOf(exchange)] : exchange.hops;
  return hops.flatMap((hop, index) => {
    if (onlySent && hop.isReplayed) return [];
    return [toEntry(hop, index === hops.length - 1, exchange, masks)];
  });
}

/** The exchange itself knows the secrets of its last response only. */
function learnDiscarded(
  { discarded, headers }: ExchangeHop["response"],
  stores: Exchange["secrets"],
): void {
  if (discarded === undefined) return;
  const type = parseMediaType(headers.get("content-type"));
  const text = (): string => decodeText(discarded.bytes, type).text;
  for (const store of stores)
    store.learn({ kind: "body", text, mediaType: type.essence }, "server");
}

/** The only hop of an exchange of a WebSocket. */
function hopOf({ request, headers, status, statusText, timing }: Exchange): ExchangeHop {
  return {
    method: request.method,
    url: request.url,
    headers: sentHeaders(request),
    body: request.body,
    startedAt: timing.startedAt,
    wait: timing.headers,
    response: { status, statusText, headers },
    isReplayed: false,
  };
}

function toEntry(hop: ExchangeHop, isLast: boolean, exchange: Exchange, masks: Masks): HarEntry {
  const { timing, request } = exchange;
  const isSocket = hop.method === "WEBSOCKET";
  const [, address, port] = /^\[?(.*?)\]?(?::(\d+))?$/.exec(hop.connection?.address ?? "") ?? [];
  return {
    startedDateTime: hop.startedAt.toISOString(),
    ...timingsOf(hop, isLast ? timing.total - timing.headers : 0),
    request: toRequest(hop, request, masks),
    response: toResponse(hop, isLast && !isSocket ? exchange : undefined, masks),
    cache: {},
    ...(address ? { serverIPAddress: address } : {}),
    ...(address && port !== undefined ? { connection: port } : {}),
    _resourceType: isSocket ? "websocket" : "fetch",
    ...(isSocket ? toMessages(exchange, masks) : {}),
  };
}

function toMessages(
  exchange: Exchange,
  { masking, masker, omission }: Masks,
): ReturnType<typeof messagesOf> {
  if (omission === undefined) return messagesOf(exchange, masking, masker);
  return { comment: `The messages were not recorded: ${omission}` };
}

function toRequest(
  { method, url, headers, body, connection }: ExchangeHop,
  { body: sentBody, uncompressed, streamed }: SentRequest,
  masks: Masks,
): HarRequest {
  const { masker, masking } = masks;
  const shownUrl = masker.mask(url.replace(/#.*/s, ""));
  const isSocket = method === "WEBSOCKET";
  const hasBody = !isSocket && body !== undefined && body.length > 0;
  const isStreamed = body === undefined && streamed !== undefined && !/^(?:GET|HEAD)$/.test(method);
  const type = findHeader(headers, "content-type");
  const masked = maskHeadersForFile(headers, masking, masker);
  const plain = body === sentBody ? (uncompressed ?? body) : body;
  const written = hasBody && plain !== undefined ? toMaskedBody(plain, type, masks) : undefined;
  const recorded = written ?? (isStreamed ? STREAMED : undefined);
  return {
    method: isSocket ? "GET" : masker.mask(method),
    url: shownUrl,
    httpVersion: versionOf(connection),
    ...masked,
    queryString: pairsOf(/\?(.*)$/s.exec(shownUrl)?.[1] ?? ""),
    postData: recorded && toBody(recorded, maskedType(masked)),
    headersSize: -1,
    bodySize: hasBody ? lengthOf(body) : isStreamed ? (streamed.size ?? -1) : 0,
  };
}

function toMaskedBody(
  body: string | Uint8Array,
  type: string | undefined,
  { masking, masker, omission }: Masks,
): MaskedBody {
  if (omission === undefined) return maskBodyForFile(body, type, masking, masker);
  return { comment: `The body was not recorded: ${omission}` };
}

const STREAMED: MaskedBody = {
  comment: "The body was not recorded: it was streamed while it was sent",
};

function toBody({ text = "", encoding, comment }: MaskedBody, mimeType = ""): HarBody {
  const isForm = parseMediaType(mimeType).essence === "application/x-www-form-urlencoded";
  return {
    mimeType,
    text,
    params: isForm ? pairsOf(text) : undefined,
    _encoding: encoding,
    comment,
  };
}

/** @param exchange The exchange of the last hop, which has the body. */
function toResponse(
  { method, response, connection }: ExchangeHop,
  exchange: Exchange | undefined,
  masks: Masks,
): HarResponse {
  const { masking, masker } = masks;
  const list = connection?.headers ?? [...response.headers];
  const masked = maskHeadersForFile(list, masking, masker);
  const { status, statusText, headers, discarded } = response;
  const received = exchange === undefined ? discarded : bodyOf(exchange);
  return {
    status,
    statusText: masker.mask(statusText),
    httpVersion: versionOf(connection),
    ...masked,
    content: {
      ...toContent(headers, method === "HEAD" ? NO_BODY : received, masks),
      mimeType: maskedType(masked) ?? "x-unknown",
    },
    redirectURL: masker.mask(headers.get("location") ?? ""),
    headersSize: -1,
    bodySize: exchange === undefined ? -1 : (exchange.sizes.response.encoded ?? -1),
  };
}

/** A body, and why it is incomplete. */
interface ReceivedBody extends DiscardedBody {
  readonly cutReason?: string | undefined;
}

const NO_BODY: ReceivedBody = { bytes: new Uint8Array(), cut: false };

function bodyOf(exchange: Exchange): ReceivedBody {
  const { cut, cutReason = "" } = exchange;
  return { bytes: contentOf(exchange).whole(), cut, cutReason };
}

function toContent(
  headers: Headers,
  received: ReceivedBody | undefined,
  masks: Masks,
): Omit<HarContent, "mimeType"> {
  if (received === undefined) {
    const isMissing = Number(headers.get("content-length") ?? 0) > 0;
    const comment = "The body was not recorded: another request followed before it was received";
    return { size: 0, comment: isMissing ? comment : undefined };
  }
  const { bytes, cut, cutReason = "Only the beginning of the body was recorded" } = received;
  const size = bytes.length;
  if (size === 0) return { size };
  const body = toMaskedBody(bytes, headers.get("content-type") ?? undefined, masks);
  const cutComment = cut && cutReason !== "" ? masks.masker.mask(cutReason) : undefined;
  return { size, ...body, comment: body.comment ?? cutComment };
}

function versionOf(connection: ExchangeHop["connection"]): string {
  return connection === undefined ? "unknown" : `HTTP/${connection.httpVersion}`;
}

function pairsOf(text: string): readonly HarPair[] {
  return [...new URLSearchParams(text)].map(([name, value]) => ({ name, value }));
}

function lengthOf(body: string | Uint8Array): number {
  return typeof body === "string" ? new TextEncoder().encode(body).byteLength : body.byteLength;
}

/**
 * The messages of a WebSocket request, whose exchange has them as the JSON array of its body. Each is masked by
 * itself: a placeholder in that JSON could make it invalid, and in base64 it would not be base64.
 */
function messagesOf(
  exchange: Exchange,
  masking: Masking,
  masker: Masker,
): Pick<HarEntry, "_webSocketMessages" | "comment"> {
  const start = exchange.timing.startedAt.getTime();
  const records = parseWrittenJson(exchange.text);
  if (!Array.isArray(records)) return { _webSocketMessages: [] };
  const comments: string[] = [];
  const messages = records.map((record, index): HarMessage => {
    const { at, from, message } = record as { readonly [name: string]: Value };
    const bytes = bytesOf(message);
    const text = typeof message === "string" ? message : renderJson(message ?? null);
    const plain = bytes === undefined ? text : (toStrictText(bytes) ?? bytes);
    const type = typeof plain === "string" && beginsAsJson(plain) ? "application/json" : undefined;
    const masked = maskBodyForFile(plain, type, masking, masker);
    if (masked.comment !== undefined) comments.push(`Message ${index + 1}: ${masked.comment}`);
    const data = masked.text ?? "";
    const isEncoded = bytes === undefined || masked.encoding === "base64";
    return {
      type: from === "client" ? "send" : "receive",
      time: (start + Number(at)) / 1000,
      opcode: bytes === undefined ? 1 : 2,
      data: isEncoded ? data : toBase64(new TextEncoder().encode(data)),
    };
  });
  return { _webSocketMessages: messages, comment: comments.join("; ") || undefined };
}

function bytesOf(message: Value | undefined): Uint8Array | undefined {
  if (typeof message !== "object" || message === null || !("base64" in message)) return undefined;
  const { base64 } = message;
  if (typeof base64 !== "string" || Object.keys(message).length !== 1) return undefined;
  try {
    return fromBase64(base64);
  } catch {
    // A DOMException: it is a text that only looks like a record of bytes.
    return undefined;
  }
}

/**
 * The timings of a hop.
 *
 * @param receive Milliseconds from the headers of the response to its end.
 */
function timingsOf(
  { wait, connection }: Pick<ExchangeHop, "wait" | "connection">,
  receive: number,
): Pick<HarEntry, "time" | "timings"> {
  const timings = { send: 0, receive: rounded(receive), ...stepsOf(wait, connection) };
  const { ssl: _partOfConnect, ...parts } = timings;
  const time = Object.values(parts).reduce((sum, part) => sum + Math.max(part, 0), 0);
  return { time: rounded(time), timings };
}

function stepsOf(
  wait: number,
  connection: ConnectionDetails | undefined,
): Omit<HarTimings, "send" | "receive"> {
  if (connection === undefined) {
    return { blocked: -1, dns: -1, connect: -1, ssl: -1, wait: rounded(wait) };
  }
  const { dns, connect, tls, firstByte } = connection.times;
  const ready = tls ?? connect ?? 0;
  return {
    // Before the request was handed to the transport: middleware and hooks.
    blocked: rounded(Math.max(wait - firstByte, 0)),
    dns: rounded(dns ?? -1),
    connect: connect === undefined ? -1 : rounded(ready - (dns ?? 0)),
    ssl: tls === undefined ? -1 : rounded(tls - (connect ?? 0)),
    wait: rounded(firstByte - ready),
  };
}

function rounded(milliseconds: number): number {
  return Math.round(milliseconds * 1000) / 1000;
}
