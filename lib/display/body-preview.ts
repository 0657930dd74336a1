import {
  type Content,
  contentOf,
  createContent,
  type Exchange,
  parseMediaType,
  type ResponseHead,
} from "../exchange/mod.ts";
import { parseJson } from "../json/mod.ts";
import { isJsonType } from "../request/mod.ts";
import { createMasker, type Secrets } from "../secrets/mod.ts";
import type { Block } from "./block.ts";
import { createJsonHead, type JsonHead, keepJsonHead } from "./json-head.ts";
import { viewJson, WHOLE } from "./json-view.ts";
import { NO_ORIGIN } from "./origin.ts";
import { viewBody } from "./view-body.ts";
import type { ViewContext } from "./view-context.ts";

/** The beginning of a body that is not a stream, while the rest arrives. */
export interface BodyPreview {
  /** Adds the next chunk. It is copied, since its buffer may be reused. */
  push(piece: Uint8Array): void;
  /** Learns the secrets in what has arrived, before it is shown: the rest may never arrive. */
  learn(secrets: Secrets): void;
  /** Displays what has arrived. */
  view(context: ViewContext): readonly Block[];
  /** Keeps what was parsed for the exchange of the complete body. */
  end(exchange: Exchange): void;
}

const TEXT_LIMIT = 65_536;
const SHOWN = /^text\/|[/+](?:json|xml)$/;

/** Creates the preview of a body, by the head of its response. */
export function createBodyPreview(head: ResponseHead): BodyPreview {
  const contentType = head.headers.get("content-type") ?? "";
  const { charset } = parseMediaType(contentType);
  const isJson = isJsonType(head.mediaType) && /^(?:utf-?8|us-ascii)$/i.test(charset ?? "utf-8");
  const most = isJson ? WHOLE : SHOWN.test(head.mediaType) ? TEXT_LIMIT : 0;
  let pieces: Uint8Array[] = [];
  let length = 0;
  let json: JsonHead | undefined;

  const content = (): Content => {
    const seen = createContent(pieces);
    pieces = length > 0 ? [seen.whole()] : [];
    return seen;
  };
  return {
    push: (piece) => {
      if (json !== undefined) return json.feed(piece);
      const room = most - length;
      if (room > 0) pieces.push(piece.slice(0, room));
      length += Math.min(piece.byteLength, room);
      if (!isJson || piece.byteLength <= room) return;
      // A body of this length is not parsed whole later either: only its head is shown.
      json = createJsonHead();
      for (const one of pieces) json.feed(one);
      json.feed(piece.subarray(room));
      pieces = [];
      length = 0;
    },
    learn: (secrets) => {
      if (json !== undefined) secrets.learn({ kind: "value", value: json.value }, "server");
      else if (length > 0) {
        const seen = content().whole();
        secrets.learn(
          { kind: "body", text: () => new TextDecoder().decode(seen), mediaType: head.mediaType },
          "server",
        );
      }
    },
    view: (context) => {
      if (json !== undefined) return viewHead(json, context);
      if (length === 0) return [];
      const seen = content();
      const text = (): string => new TextDecoder().decode(seen.whole());
      const body = {
        mediaType: head.mediaType,
        contentType,
        charset,
        content: seen,
        cut: true,
        origin: NO_ORIGIN,
        fileName: "body",
        text,
        json: () => parseJson(text()),
        masker: ({ masking }: ViewContext) => createMasker(masking),
      };
      return viewBody(body, context);
    },
    end: (exchange) => {
      if (json !== undefined) keepJsonHead(contentOf(exchange), json);
    },
  };
}

function viewHead({ value, total }: JsonHead, context: ViewContext): readonly Block[] {
  const isObject = typeof value === "object" && value !== null;
  if (!isObject) return [];
  return viewJson(value, context, createMasker(context.masking), { total });
}
