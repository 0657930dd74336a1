import {
  createContent,
  decodeText,
  type PendingRequest,
  parseMediaType,
  type ResponseHead,
  type StreamItem,
  statusClass,
} from "../exchange/mod.ts";
import { parseJson } from "../json/mod.ts";
import { isJsonType } from "../request/mod.ts";
import type { Secrets } from "../secrets/mod.ts";
import type { Block } from "./block.ts";
import { bundleOf, type MimeBundle } from "./bundle-of.ts";
import { WHOLE } from "./json-view.ts";
import { DEFAULT_LIMITS, type Limits } from "./limits.ts";
import { NO_ORIGIN } from "./origin.ts";
import { createRowReader, type RowReader, viewStreamEnds } from "./stream-view.ts";
import type { Body } from "./text-view.ts";
import { formatBytes, formatCount, formatMilliseconds, formatWaiting } from "./units.ts";
import { viewBody } from "./view-body.ts";
import { createViewContext, forData, type Hidden, type ViewContext } from "./view-context.ts";

/** How far a response is. */
interface Progress {
  /** Bytes received. */
  readonly received: number;
  /** The length of the body, if it is known. */
  readonly total: number | undefined;
  /** Milliseconds since sending began. */
  readonly elapsed: number;
}

/** Less is shown than of a complete response, since it is updated often. */
const LIMITS: Limits = { ...DEFAULT_LIMITS, rows: 30, text: 4_000, table: 12_000 };
/** The bytes of a text that are kept; of JSON those that are parsed whole. */
const TEXT_LIMIT = 65_536;
const SHOWN = /^text\/|[/+](?:json|xml)$/;

/** A response that is arriving: its head, and the beginning of its body, or both ends of a stream. */
export class ArrivingResponse {
  readonly #head: ResponseHead;
  readonly #method: string;
  readonly #rows: RowReader | undefined;
  readonly #most: number;
  readonly #pieces: Uint8Array[] = [];
  #length = 0;

  constructor(head: ResponseHead, method: string) {
    const { mediaType } = head;
    this.#head = head;
    this.#method = method;
    this.#rows = createRowReader(mediaType);
    this.#most = isJsonType(mediaType) ? WHOLE : SHOWN.test(mediaType) ? TEXT_LIMIT : 0;
  }

  /**
   * Adds the next bytes. They are copied, since their buffer may be reused.
   *
   * @returns The items of a stream that they complete.
   */
  push(bytes: Uint8Array): readonly StreamItem[] {
    if (this.#rows !== undefined) return this.#rows.push(bytes);
    const room = this.#most - this.#length;
    if (room > 0) {
      this.#pieces.push(bytes.slice(0, room));
      this.#length += Math.min(bytes.byteLength, room);
    }
    return [];
  }

  /**
   * Displays the status, the progress, and what has arrived of the body, as that of a complete response.
   *
   * @param secrets Learns the secrets in what has arrived, and masks them.
   */
  render(progress: Progress, secrets: Secrets): MimeBundle {
    const body = this.#length === 0 ? undefined : this.#body();
    secrets.learn({ kind: "headers", headers: this.#head.headers }, "server");
    if (body !== undefined) {
      secrets.learn({ kind: "body", text: body.text, mediaType: body.mediaType }, "server");
    }
    const context = forData(createViewContext(LIMITS, [secrets]));
    return bundleOf(
      [this.#viewStatus(progress, context), ...this.#viewBody(body, context)],
      context,
    );
  }

  #body(): Body {
    const contentType = this.#head.headers.get("content-type") ?? "";
    const type = parseMediaType(contentType, this.#head.charset);
    const content = createContent(this.#pieces);
    const text = (): string => decodeText(content.whole(), type, false).text;
    return {
      mediaType: this.#head.mediaType,
      contentType,
      charset: type.charset,
      content,
      cut: true,
      origin: NO_ORIGIN,
      fileName: "body",
      text,
      json: () => parseJson(text()),
    };
  }

  #viewBody(body: Body | undefined, context: ViewContext): readonly Block[] {
    if (this.#rows !== undefined) return viewStreamEnds(this.#rows, context);
    if (body === undefined || this.#head.savedTo !== undefined) return [];
    // The progress says that it is incomplete.
    return viewBody(body, context).filter(({ kind }) => kind !== "note");
  }

  #viewStatus({ received, total, elapsed }: Progress, { redactor }: ViewContext): Block {
    const { status, statusText, url } = this.#head;
    const share = total
      ? ` of ${formatBytes(total)} (${Math.floor((received / total) * 100)} %)`
      : "";
    return {
      kind: "status",
      status,
      statusText: redactor.text(statusText),
      statusClass: statusClass(status),
      request: { method: redactor.text(this.#method), url: redactor.text(url) },
      facts: ["in progress", `${formatBytes(received)}${share} in ${formatMilliseconds(elapsed)}`],
    };
  }
}

/** A request that has no answer yet. */
interface WaitingRequest {
  readonly request: PendingRequest;
  /** Milliseconds since sending began. */
  readonly elapsed: number;
  /** How many other requests have no answer yet. */
  readonly others: number;
  /** Whether no answer will come. */
  readonly isOver: boolean;
}

/**
 * Displays a request that has no answer yet.
 *
 * @param waiting The request.
 * @param secrets What is masked.
 */
export function renderWaiting(
  { request: { method, url, timeout }, elapsed, others, isOver }: WaitingRequest,
  secrets: readonly Hidden[] = [],
): MimeBundle {
  const context = createViewContext(DEFAULT_LIMITS, secrets);
  const { redactor } = context;
  const more = others === 0 ? "" : ` and ${formatCount(others, "more request")}`;
  const text = isOver ? "no answer" : `${formatWaiting(elapsed, timeout)}${more}`;
  return bundleOf(
    [
      { kind: "request", method: redactor.text(method), url: redactor.text(url) },
      { kind: "note", level: "info", text },
    ],
    context,
  );
}
