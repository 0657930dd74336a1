import { type PendingRequest, type ResponseHead, statusClass } from "../exchange/mod.ts";
import type { Block } from "./block.ts";
import type { BodyPreview } from "./body-preview.ts";
import { bundleOf, type MimeBundle } from "./bundle-of.ts";
import { DEFAULT_LIMITS, type Limits } from "./limits.ts";
import { type RowReader, viewStreamEnds } from "./stream-view.ts";
import { formatBytes, formatCount, formatMilliseconds, formatWaiting } from "./units.ts";
import { createViewContext, type Hidden, type ViewContext } from "./view-context.ts";

/** A response that is arriving. */
export interface ResponseInProgress {
  readonly head: ResponseHead;
  readonly method: string;
  readonly received: number;
  readonly total: number | undefined;
  /** Milliseconds since sending began. */
  readonly elapsed: number;
  /** The items of a stream so far; `undefined` if the body is not a stream. */
  readonly reader: Pick<RowReader, "noun" | "rows" | "cut"> | undefined;
  /** The beginning of a body that is not a stream. */
  readonly preview: BodyPreview;
}

/** Less is shown than of a complete response, since it is updated often. */
const LIMITS: Limits = { ...DEFAULT_LIMITS, rows: 30, text: 4_000, table: 12_000 };

/**
 * Displays a response that is arriving: status, progress, and the beginning of the body.
 *
 * @param response The response so far.
 * @param secrets What is masked.
 */
export function renderInProgress(
  response: ResponseInProgress,
  secrets: readonly Hidden[] = [],
): MimeBundle {
  const context = createViewContext(LIMITS, secrets);
  return bundleOf(viewInProgress(response, context), context);
}

/** The progress in one line: `1.2 MB of 5.0 MB (24 %) in 3.1 s`. */
function describeProgress(received: number, total: number | undefined, elapsed: number): string {
  const share = total
    ? ` of ${formatBytes(total)} (${Math.floor((received / total) * 100)} %)`
    : "";
  return `${formatBytes(received)}${share} in ${formatMilliseconds(elapsed)}`;
}

function viewInProgress(response: ResponseInProgress, context: ViewContext): readonly Block[] {
  const { head, method, received, total, elapsed, reader } = response;
  const { status, statusText } = head;
  const facts = ["in progress", describeProgress(received, total, elapsed)];
  const body = reader ? viewStreamEnds(reader, context) : viewPreview(response, context);
  return [
    {
      kind: "status",
      status,
      statusText: context.redact(statusText),
      statusClass: statusClass(status),
      request: { method, url: context.redact(head.url) },
      facts,
    },
    ...body,
  ];
}

function viewPreview({ preview }: ResponseInProgress, context: ViewContext): readonly Block[] {
  // The progress says that it is incomplete.
  return preview.view(context).filter((block) => block.kind !== "note");
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
  const more = others === 0 ? "" : ` and ${formatCount(others, "more request")}`;
  const text = isOver ? "no answer" : `${formatWaiting(elapsed, timeout)}${more}`;
  return bundleOf(
    [
      { kind: "request", method, url: context.redact(url) },
      { kind: "note", level: "info", text },
    ],
    context,
  );
}
