import type { Exchange } from "../../exchange/mod.ts";
import { type Block, type Field, formatBytes, formatMilliseconds } from "../blocks/mod.ts";

/** The time of the headers is worth mentioning if the body took this long after them, in milliseconds. */
const NOTABLE = 100;

/** The time of an answer, for its status line. */
export function timeOf({ timing }: Exchange): string {
  const { headers, total } = timing;
  const time = formatMilliseconds(total);
  return total - headers < NOTABLE
    ? time
    : `${time} (headers after ${formatMilliseconds(headers)})`;
}

/** The size of an answer, for its status line. */
export function sizeOf({ sizes }: Exchange): string {
  const { body, encoded } = sizes.response;
  const size = formatBytes(body);
  return encoded === undefined || encoded === body
    ? size
    : `${size} (${formatBytes(encoded)} sent)`;
}

/** Displays when an exchange began, how long it took, and how large its parts were. */
export function viewTiming({ timing, sizes }: Exchange): Block[] {
  const { request, response } = sizes;
  const times: Field[] = [
    field("started", timing.startedAt.toISOString()),
    field("headers received after", formatMilliseconds(timing.headers)),
    field("body received after", formatMilliseconds(timing.total)),
  ];
  const parts: Field[] = [
    field("sent", describeSize(request.headers, request.body)),
    field("received", describeSize(response.headers, response.encoded ?? response.body)),
  ];
  const fields = [...times, ...parts];
  const block: Block = { kind: "fields", of: "object", fields, total: fields.length };
  return [{ kind: "fold", title: "Timing", blocks: [block], isExtra: true, isTiming: true }];
}

function describeSize(headers: number, body: number): string {
  return `${formatBytes(headers)} of headers, ${formatBytes(body)} of body`;
}

function field(key: string, text: string): Field {
  return { key, value: { text, type: "text" } };
}
