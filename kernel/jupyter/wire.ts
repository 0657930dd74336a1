import { createHmac, timingSafeEqual } from "node:crypto";
import { type Dict, type Header, PROTOCOL_VERSION } from "./protocol.ts";

/** A message as it was received. Buffers belong to comms, which this kernel does not have. */
export interface Message {
  /** The routing prefix: the sender. */
  readonly identities: readonly Uint8Array[];
  readonly header: Header;
  readonly content: Dict;
}

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
  const [header = {}, , , content = {}] = dicts;
  if (!isHeader(header)) return refuse("the header has no msg_id or msg_type");
  return { ok: true, message: { identities: frames.slice(0, at), header, content } };
}

/** Writes the messages of a kernel. */
export class MessageWriter {
  readonly #session: string;
  readonly #username: string;
  readonly #signer: Signer;
  #count = 0;

  /**
   * @param session Unique for each kernel process: to a front end another one is a restart.
   * @param username The user who runs the kernel.
   */
  constructor(session: string, username: string, signer: Signer) {
    this.#session = session;
    this.#username = username;
    this.#signer = signer;
  }

  /**
   * Writes and signs a message.
   *
   * @param content As `renderJson` returns it.
   * @param parent The header of the message that caused this one.
   * @param identities The routing prefix: the receiver, or the topic of a published message, its type by
   * default.
   * @returns Its frames.
   */
  write(
    type: string,
    content: string,
    parent: Header | undefined,
    identities: readonly Uint8Array[] = [utf8.encode(type)],
  ): readonly Uint8Array[] {
    const header: Header = {
      msg_id: `${this.#session}_${this.#count++}`,
      msg_type: type,
      session: this.#session,
      username: this.#username,
      date: new Date().toISOString(),
      version: PROTOCOL_VERSION,
    };
    const dicts = [JSON.stringify(header), renderJson(parent ?? {}), "{}", content];
    const parts = dicts.map((dict) => utf8.encode(dict));
    return [...identities, DELIMITER, this.#signer.sign(parts), ...parts];
  }
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
 * Renders a dict of a message as JSON that every front end can read: Jupyter Server drops a message with a lone
 * surrogate, which UTF-8 cannot represent, and a bigint is no JSON. Few messages have either.
 */
export function renderJson(value: unknown): string {
  let text: string;
  try {
    text = JSON.stringify(value);
  } catch {
    text = JSON.stringify(value, (_key, item: unknown) =>
      typeof item === "bigint" ? toNumberOrText(item) : item,
    );
  }
  if (!LONE_SURROGATE.test(text)) return text;
  return text.replace(ESCAPE, (one) => (LONE_SURROGATE.test(one) ? "\ufffd" : one));
}

/** `JSON.stringify` escapes only lone surrogates in this way. */
const LONE_SURROGATE = /\\ud[89a-f]/;
/** A backslash in a text is an escape of two characters, and `ud83d` after it no surrogate. */
const ESCAPE = /\\(?:ud[89a-f][\da-f]{2}|.)/g;

function toNumberOrText(value: bigint): number | string {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value.toString();
}
