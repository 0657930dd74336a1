import {
  type Exchange,
  fromBase64,
  parseWrittenJson,
  toBase64,
  toStrictText,
} from "../exchange/mod.ts";
import { renderJson, type Value } from "../interpolation/mod.ts";
import { beginsAsJson } from "../request/mod.ts";
import type { Masker, Masking } from "../secrets/mod.ts";
import type { HarEntry, HarMessage } from "./har.ts";
import { maskBodyForFile } from "./masked-body.ts";

/**
 * The messages of a WebSocket request, whose exchange has them as the JSON array of its body. Each is masked by
 * itself: a placeholder in that JSON could make it invalid, and in base64 it would not be base64.
 */
export function messagesOf(
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
  const comment = comments.join("; ");
  return { _webSocketMessages: messages, ...(comment === "" ? {} : { comment }) };
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
