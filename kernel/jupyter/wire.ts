import { createHmac, timingSafeEqual } from "node:crypto";
import type { Message } from "./message.ts";
import type { Dict, Header } from "./protocol.ts";

/** A message, or why the frames are not a valid one. */
type Parsed =
  | { readonly ok: true; readonly message: Message }
  | { readonly ok: false; readonly reason: string };

/** Signs messages and checks signatures with the key of a connection file. */
export interface Signer {
  /** The signature of serialized dicts as hexadecimal bytes; empty if the key is. */
  sign(parts: readonly Uint8Array[]): Uint8Array;
  /**
   * Checks a signature in constant time. It is accepted only once, so that a recorded message cannot be
   * replayed.
   *
   * @returns Why it is refused, if it is.
   */
  refusal(signature: Uint8Array, parts: readonly Uint8Array[]): string | undefined;
}

const PARTS = ["header", "parent header", "metadata", "content"] as const;
/** How many accepted signatures are remembered, as in jupyter_client. */
const REMEMBERED = 65_536;
const utf8 = new TextEncoder();
const strictUtf8 = new TextDecoder("utf-8", { fatal: true });
const DELIMITER = utf8.encode("<IDS|MSG>");

/**
 * Creates the signer of a key.
 *
 * @param key Empty turns signatures off, as the specification says.
 * @param hash A name of `node:crypto`.
 */
export function createSigner(key: string, hash = "sha256"): Signer {
  const accepted = new Set<string>();

  function sign(parts: readonly Uint8Array[]): Uint8Array {
    if (key === "") return new Uint8Array();
    const hmac = createHmac(hash, key);
    for (const part of parts) hmac.update(part);
    return utf8.encode(hmac.digest("hex"));
  }

  function refusal(signature: Uint8Array, parts: readonly Uint8Array[]): string | undefined {
    if (key === "") return undefined;
    const expected = sign(parts);
    if (signature.length !== expected.length || !timingSafeEqual(signature, expected)) {
      return "the signature is wrong";
    }
    const text = strictUtf8.decode(expected);
    if (accepted.has(text)) return "its signature was accepted before";
    accepted.add(text);
    // A set keeps its order: the first is the oldest.
    const [oldest = ""] = accepted;
    if (accepted.size > REMEMBERED) accepted.delete(oldest);
    return undefined;
  }

  return { sign, refusal };
}

/**
 * Parses the frames of a message; never throws.
 *
 * @param frames As received from the socket, routing prefix first.
 */
export function parseMessage(frames: readonly Uint8Array[], signer: Signer): Parsed {
  const at = frames.findIndex((frame) => equalBytes(frame, DELIMITER));
  if (at < 0) return refuse("the delimiter <IDS|MSG> is missing");
  const [signature, ...parts] = frames.slice(at + 1, at + 6);
  if (signature === undefined || parts.length < PARTS.length) {
    return refuse(`${frames.length - at - 1} of at least 5 frames follow the delimiter`);
  }
  // Nothing is parsed before the signature is checked.
  const refusal = signer.refusal(signature, parts);
  if (refusal !== undefined) return refuse(refusal);
  const dicts: Dict[] = [];
  for (const [index, part] of parts.entries()) {
    const dict = parseDict(part);
    if (typeof dict === "string") return refuse(`the ${PARTS[index]} is ${dict}`);
    dicts.push(dict);
  }
  const [header = {}, parentHeader = {}, metadata = {}, content = {}] = dicts;
  if (!isHeader(header)) return refuse("the header has no msg_id or msg_type");
  return {
    ok: true,
    message: {
      identities: frames.slice(0, at),
      header,
      parentHeader: parentHeader as Message["parentHeader"],
      metadata,
      content,
      buffers: frames.slice(at + 6),
    },
  };
}

/** A message with its dicts as JSON text, as it passes between threads. */
export interface RenderedMessage {
  readonly identities: readonly Uint8Array[];
  /** Header, parent header, metadata and content. */
  readonly dicts: readonly string[];
  readonly buffers: readonly Uint8Array[];
}

/** Renders the dicts of a message; never throws, whatever a cell put into them. */
export function renderMessage(message: Message<unknown>): RenderedMessage {
  const { identities, header, parentHeader, metadata, content, buffers } = message;
  return {
    identities,
    dicts: [header, parentHeader, metadata, content].map(renderJson),
    buffers,
  };
}

/** Signs a message and returns its frames. */
export function toFrames(message: RenderedMessage, signer: Signer): readonly Uint8Array[] {
  const parts = message.dicts.map((dict) => utf8.encode(dict));
  return [...message.identities, DELIMITER, signer.sign(parts), ...parts, ...message.buffers];
}

function refuse(reason: string): Parsed {
  return { ok: false, reason };
}

function parseDict(bytes: Uint8Array): Dict | string {
  try {
    const value: unknown = JSON.parse(strictUtf8.decode(bytes));
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Dict;
    return "not an object";
  } catch {
    return "not JSON";
  }
}

/** Clients before version 5.1 omit the date; only the fields that are used must be there. */
function isHeader(header: Dict): header is Header {
  return isName(header["msg_id"]) && isName(header["msg_type"]);
}

function isName(value: unknown): boolean {
  return typeof value === "string" && value !== "";
}

function equalBytes(left: Uint8Array, right: Uint8Array): boolean {
  return left.length === right.length && left.every((byte, index) => byte === right[index]);
}

/**
 * Renders a dict of a message as JSON that every front end can read, whatever a cell put into it.
 *
 * Jupyter Server drops a message with a lone surrogate, which UTF-8 cannot represent, and a bigint or
 * a cycle would throw. Only those need a slower second pass.
 */
function renderJson(value: unknown): string {
  try {
    const text = JSON.stringify(value);
    if (!LONE_SURROGATE.test(text)) return text;
  } catch {
    // The second pass replaces what JSON cannot represent.
  }
  return JSON.stringify(toPlain(value, []));
}

/** `JSON.stringify` escapes only lone surrogates in this way. */
const LONE_SURROGATE = /\\ud[89a-f]/;

/** The second pass must not overflow the stack like the first. */
const DEEPEST = 200;

function toPlain(value: unknown, parents: readonly unknown[]): unknown {
  if (typeof value === "string") return toWellFormed(value);
  if (typeof value === "bigint") return toNumberOrText(value);
  if (typeof value !== "object" || value === null) return value;
  if (parents.includes(value)) return "[Circular]";
  if (parents.length > DEEPEST) return "[Too deep]";
  const path = [...parents, value];
  try {
    if ("toJSON" in value && typeof value.toJSON === "function") {
      return toPlain(value.toJSON(), path);
    }
    if (Array.isArray(value)) return value.map((item) => toPlain(item, path));
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [toWellFormed(key), toPlain(item, path)]),
    );
  } catch (error) {
    // A getter or `toJSON` has thrown: the rest of the message must still arrive.
    return `[${String(error instanceof Error ? error.message : error)}]`;
  }
}

function toNumberOrText(value: bigint): number | string {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value.toString();
}

/** With the `u` flag only lone surrogates match. */
function toWellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, "\ufffd");
}
