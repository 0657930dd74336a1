import { type Exchange, parseWrittenJson } from "../exchange/mod.ts";
import { renderJson, type Value } from "../interpolation/mod.ts";
import type { Masker } from "../secrets/mod.ts";
import type { HarMessage } from "./har.ts";

/** The messages of a WebSocket request, whose exchange has them as the JSON array of its body. */
export function messagesOf(exchange: Exchange, masker: Masker): readonly HarMessage[] {
  const start = exchange.timing.startedAt.getTime();
  const records = parseWrittenJson(masker.body(exchange.text, "application/json"));
  if (!Array.isArray(records)) return [];
  return records.map((record): HarMessage => {
    const { at, from, message } = record as { readonly [name: string]: Value };
    const bytes = base64Of(message);
    return {
      type: from === "client" ? "send" : "receive",
      time: (start + Number(at)) / 1000,
      opcode: bytes === undefined ? 1 : 2,
      data: bytes ?? (typeof message === "string" ? message : renderJson(message ?? null)),
    };
  });
}

function base64Of(message: Value | undefined): string | undefined {
  if (typeof message !== "object" || message === null || !("base64" in message)) return undefined;
  const { base64 } = message;
  return typeof base64 === "string" && Object.keys(message).length === 1 ? base64 : undefined;
}
