import { memberOf, messageOf } from "../interpolation/mod.ts";
import { findJsonFault } from "../json/mod.ts";

/** The body of a recorded request. */
export type RecordedBody =
  | { readonly kind: "none" }
  /** It was streamed, or a browser did not save it. */
  | { readonly kind: "unknown" }
  | { readonly kind: "text" | "base64"; readonly text: string; readonly contentType: string };

/** A recorded request and its response. */
export interface RecordedEntry {
  /** The method in upper case. */
  readonly method: string;
  /** The URL as it is in the file. */
  readonly url: string;
  /** The body of the request. */
  readonly body: RecordedBody;
  /** The response. */
  readonly response: RecordedResponse;
  /** The messages of a WebSocket. */
  readonly messages?: readonly RecordedMessage[] | undefined;
}

/** A recorded response. */
export interface RecordedResponse {
  /** 0 if there was none. */
  readonly status: number;
  /** The reason phrase. */
  readonly statusText: string;
  /** The headers, without pseudo-headers. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** The body. */
  readonly content: {
    /** Left out where a browser did not save it. */
    readonly text?: string | undefined;
    /** Whether the text is base64. */
    readonly isBase64: boolean;
    /** Bytes; -1 where that is not known. */
    readonly size: number;
  };
  /** Why there was none. */
  readonly error?: string | undefined;
}

/** A recorded message of a WebSocket. */
export interface RecordedMessage {
  /** Who sent it. */
  readonly type: "send" | "receive";
  /** Whether `data` is base64. */
  readonly isBinary: boolean;
  /** The text, or base64. */
  readonly data: string;
}

/** A HAR file that was read. */
export interface Recording {
  /** What messages call it, for example its path. */
  readonly name: string;
  /** The entries. */
  readonly entries: readonly RecordedEntry[];
  /** The entries as they are in the file. */
  readonly raw: readonly unknown[];
  /** The seed of its generated values. */
  readonly seed?: string | undefined;
}

/** A HAR file that cannot be read; the message says where the fault is. */
export class HarError extends Error {
  /** Always `HarError`. */
  override readonly name = "HarError";
}

/**
 * Reads a HAR file of restlab or of a browser.
 *
 * @param source Its text, or its bytes.
 * @param name What messages call it.
 * @throws {HarError} It is not JSON, or not a HAR file.
 */
export function readHar(source: string | Uint8Array, name: string = "the HAR file"): Recording {
  const fail = (reason: string): HarError => new HarError(`Cannot read "${name}": ${reason}`);
  const log = new Member(parse(source, fail), "", fail).object("log");
  const list = log.array("entries");
  return {
    name,
    entries: list.map(readEntry),
    raw: list.map(({ value }) => value),
    seed: log.optional("_seed", "text"),
  };
}

function parse(source: string | Uint8Array, fail: (reason: string) => HarError): unknown {
  let text: string;
  try {
    const decoded = typeof source === "string" ? source : new TextDecoder().decode(source);
    text = decoded.replace(/^\uFEFF/, "");
  } catch (error) {
    throw fail(`it is too large (${messageOf(error)})`);
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    // The message of JSON.parse has no position on some runtimes.
    const fault = findJsonFault(text);
    if (fault === undefined) throw fail(messageOf(error));
    const lines = text.slice(0, fault.offset).split("\n");
    const place = `line ${lines.length}, column ${(lines.at(-1) ?? "").length + 1}`;
    throw fail(`it is not JSON: ${place}: ${fault.message}`);
  }
}

function readEntry(entry: Member): RecordedEntry {
  const request = entry.object("request");
  const response = entry.object("response");
  const content = response.optional("content", "object");
  const encoding = content?.optional("encoding", "text") ?? "";
  if (encoding !== "" && encoding !== "base64") {
    throw content?.at("encoding").fault(`"${encoding}" is unknown: only base64 is supported`);
  }
  const text = content?.optional("text", "text");
  if (encoding === "base64") checkBase64(text ?? "", content?.at("text"));
  const status = response.number("status");
  if (!Number.isInteger(status) || status < 0 || status > 999) {
    throw response.at("status").fault(`${status} is not a status`);
  }
  return {
    method: request.text("method").toUpperCase(),
    url: request.text("url"),
    body: readBody(request),
    response: {
      status,
      statusText: response.optional("statusText", "text") ?? "",
      headers: readHeaders(response),
      content: {
        text,
        isBase64: encoding === "base64",
        size: content?.optional("size", "number") ?? -1,
      },
      error: response.optional("_error", "text") ?? entry.optional("_error", "text"),
    },
    messages: entry.optional("_webSocketMessages", "array")?.map(readMessage),
  };
}

function readBody(request: Member): RecordedBody {
  const data = request.optional("postData", "object");
  if (data === undefined) {
    const size = request.optional("bodySize", "number") ?? 0;
    const isUsual = /^(?:GET|HEAD|DELETE|OPTIONS)$/i.test(request.text("method"));
    return size === 0 || (size < 0 && isUsual) ? { kind: "none" } : { kind: "unknown" };
  }
  const contentType = data.optional("mimeType", "text") ?? "";
  const encoding = data.optional("_encoding", "text") ?? data.optional("encoding", "text") ?? "";
  const params = data.optional("params", "array") ?? [];
  const text = data.optional("text", "text") ?? "";
  if (encoding === "base64") {
    checkBase64(text, data.at("text"));
    return { kind: "base64", text, contentType };
  }
  if (text !== "") return { kind: "text", text, contentType };
  if (data.optional("comment", "text") !== undefined) return { kind: "unknown" };
  if (params.length === 0) return { kind: "none" };
  const pairs = params.map((one) => [one.text("name"), one.optional("value", "text") ?? ""]);
  return { kind: "text", text: new URLSearchParams(pairs).toString(), contentType };
}

/** Without the pseudo-headers of HTTP/2, such as `:status`. Chrome joins several `Set-Cookie` by line breaks. */
function readHeaders(response: Member): RecordedResponse["headers"] {
  return (response.optional("headers", "array") ?? []).flatMap((header) => {
    const name = header.text("name");
    if (name.startsWith(":")) return [];
    return header
      .text("value")
      .split(/\r?\n/)
      .map((value) => [name, value] as const);
  });
}

function readMessage(message: Member): RecordedMessage {
  const type = message.text("type");
  if (type !== "send" && type !== "receive") {
    throw message.at("type").fault(`"${type}" is neither "send" nor "receive"`);
  }
  const isBinary = message.optional("opcode", "number") === 2;
  const data = message.text("data");
  if (isBinary) checkBase64(data, message.at("data"));
  return { type, isBinary, data };
}

function checkBase64(text: string, member: Member | undefined): void {
  const bare = text.replace(/\s+/g, "");
  if (/^[A-Za-z0-9+/]*={0,2}$/.test(bare) && bare.replace(/=+$/, "").length % 4 !== 1) return;
  throw member?.fault("it is not base64");
}

/** A member of an untrusted JSON document. What is read from it is checked, and errors name its path. */
class Member {
  readonly value: unknown;
  readonly #path: string;
  readonly #fail: (reason: string) => Error;

  /**
   * @param path Where it is, for example `log.entries[3]`; empty for the document.
   * @param fail Creates the error of a fault.
   */
  constructor(value: unknown, path: string, fail: (reason: string) => Error) {
    this.value = value;
    this.#path = path;
    this.#fail = fail;
  }

  /** The error of a fault of this member. */
  fault(reason: string): Error {
    return this.#fail(`${this.#path === "" ? "the document" : this.#path}: ${reason}`);
  }

  /** A member of this object, which may be missing. */
  at(name: string): Member {
    const path = this.#path === "" ? name : `${this.#path}.${name}`;
    return new Member(memberOf(this.value, name), path, this.#fail);
  }

  object(name: string): Member {
    this.#check("object");
    const member = this.at(name);
    member.#check("object");
    return member;
  }

  text(name: string): string {
    return this.at(name).#check("string") as string;
  }

  number(name: string): number {
    return this.at(name).#check("number") as number;
  }

  array(name: string): readonly Member[] {
    const member = this.at(name);
    const items = member.#check("array") as readonly unknown[];
    return items.map((item, index) => {
      const one = new Member(item, `${member.#path}[${index}]`, this.#fail);
      one.#check("object");
      return one;
    });
  }

  /** A member that may be missing. Browsers write `null` for some that they do not know. */
  optional<Type extends "object" | "text" | "number" | "array">(
    name: string,
    type: Type,
  ): ReturnType<Member[Type]> | undefined {
    const { value } = this.at(name);
    const isMissing = value === undefined || value === null;
    return isMissing ? undefined : (this[type](name) as ReturnType<Member[Type]>);
  }

  #check(wanted: Kind): unknown {
    const found = kindOf(this.value);
    if (found === wanted) return this.value;
    if (this.value === undefined) throw this.fault("it is missing");
    throw this.fault(
      `it is ${found === "null" ? found : WORDS[found]}; ${WORDS[wanted]} is needed`,
    );
  }
}

const WORDS = {
  object: "an object",
  array: "an array",
  string: "a string",
  number: "a number",
  boolean: "a boolean",
} as const;

type Kind = keyof typeof WORDS;

/** @param value A value of JSON. */
function kindOf(value: unknown): Kind | "null" {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : (typeof value as Kind);
}
