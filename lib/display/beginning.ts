import {
  type Content,
  contentOf,
  createContent,
  type Exchange,
  parseJson,
  parseMediaType,
  type ResponseHead,
} from "../exchange/mod.ts";
import { createMasker, type Secrets } from "../secrets/mod.ts";
import type { Block, ViewContext } from "./blocks/mod.ts";
import { NOWHERE } from "./blocks/mod.ts";
import { viewBody, viewJson, WHOLE } from "./bodies/mod.ts";
import { createJsonHead, type JsonHead, keepJsonHead } from "./json-preview/mod.ts";

/** The beginning of a body that is no stream, while the rest of it is on its way. */
export interface Beginning {
  /** Takes the next piece. What it lies in may be used for something else afterwards. */
  push(piece: Uint8Array): void;
  /** Learns the secrets of what has arrived, before any of it is shown: the rest may never arrive. */
  teach(secrets: Secrets): void;
  /** What there is to see until now. */
  look(context: ViewContext): readonly Block[];
  /** The body is whole: what was learnt of it on its way need not be learnt again. */
  end(exchange: Exchange): void;
}

const MOST_TEXT = 65_536;
const SHOWN = /^text\/|[/+](?:json|xml)$/;

/** Begins to look at a body by the head of its answer. */
export function createBeginning(head: ResponseHead): Beginning {
  const contentType = head.headers.get("content-type") ?? "";
  const { charset } = parseMediaType(contentType);
  const isJson =
    /[/+]json$/.test(head.mediaType) && /^(?:utf-?8|us-ascii)$/i.test(charset ?? "utf-8");
  const most = isJson ? WHOLE : SHOWN.test(head.mediaType) ? MOST_TEXT : 0;
  let pieces: Uint8Array[] = [];
  let length = 0;
  let json: JsonHead | undefined;

  const content = (): Content => {
    const seen = createContent(pieces);
    // One piece from here on.
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
      // Longer than what is parsed whole in the end: its head is all that will be shown.
      json = createJsonHead();
      for (const one of pieces) json.feed(one);
      json.feed(piece.subarray(room));
      pieces = [];
      length = 0;
    },
    teach: (secrets) => {
      if (json !== undefined) secrets.learn({ kind: "value", value: json.value }, "server");
      else if (length > 0) {
        const seen = content().whole();
        secrets.learn(
          { kind: "body", text: () => new TextDecoder().decode(seen), mediaType: head.mediaType },
          "server",
        );
      }
    },
    look: (context) => {
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
        origin: NOWHERE,
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
  const isContainer = typeof value === "object" && value !== null;
  if (!isContainer) return [];
  return viewJson(value, context, createMasker(context.masking), { total });
}
