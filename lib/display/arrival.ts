import { type ResponseHead, statusClass } from "../exchange/mod.ts";
import type { Beginning } from "./beginning.ts";
import type { Block } from "./blocks/mod.ts";
import {
  createViewContext,
  DEFAULT_LIMITS,
  formatBytes,
  formatMilliseconds,
  type Hidden,
  type Limits,
  type ViewContext,
} from "./blocks/mod.ts";
import { type RowReader, viewEnds } from "./bodies/mod.ts";
import type { MimeBundle } from "./bundles/mod.ts";
import { bundleOf } from "./bundles/mod.ts";

/** An answer on its way, as far as it has come. */
export interface ArrivingAnswer {
  readonly head: ResponseHead;
  readonly method: string;
  readonly received: number;
  readonly total: number | undefined;
  /** Milliseconds since sending began. */
  readonly elapsed: number;
  /** What has come of a stream; nothing where the body is none. */
  readonly reader: Pick<RowReader, "noun" | "rows" | "cut"> | undefined;
  /** What has come of a body that is no stream. */
  readonly beginning: Beginning;
}

/** While it changes all the time, less of it is shown than in the end. */
const LIMITS: Limits = { ...DEFAULT_LIMITS, rows: 30, text: 4_000, table: 12_000 };

/**
 * Shows an answer on its way: status, how far it has come, and what there is of it.
 *
 * @param answer What has come.
 * @param secrets What is hidden.
 */
export function renderArrival(answer: ArrivingAnswer, secrets: readonly Hidden[] = []): MimeBundle {
  const context = createViewContext(LIMITS, secrets);
  return bundleOf(viewArrival(answer, context), context);
}

/** How far an answer has come, in a line: `1.2 MB of 5.0 MB (24 %) in 3.1 s`. */
export function describeProgress(
  received: number,
  total: number | undefined,
  elapsed: number,
): string {
  const share = total
    ? ` of ${formatBytes(total)} (${Math.floor((received / total) * 100)} %)`
    : "";
  return `${formatBytes(received)}${share} in ${formatMilliseconds(elapsed)}`;
}

function viewArrival(answer: ArrivingAnswer, context: ViewContext): readonly Block[] {
  const { head, method, received, total, elapsed, reader } = answer;
  const { status, statusText } = head;
  const facts = ["in progress", describeProgress(received, total, elapsed)];
  const body = reader ? viewEnds(reader, context) : viewBeginning(answer, context);
  return [
    { kind: "request", method, url: context.redact(head.url) },
    {
      kind: "status",
      status,
      statusText: context.redact(statusText),
      statusClass: statusClass(status),
      facts,
    },
    ...body,
  ];
}

/** The first rows of a large listing, the first lines of a long text. */
function viewBeginning({ beginning }: ArrivingAnswer, context: ViewContext): readonly Block[] {
  // That it is the beginning is said by how far it has come.
  return beginning.look(context).filter((block) => block.kind !== "note");
}
