import { parseMediaType, streamKind } from "../exchange/mod.ts";
import type { Secrets } from "../secrets/mod.ts";
import type { Deadline } from "./deadline.ts";
import { learnWhileReading } from "./learn-while-reading.ts";
import { type BodyObserver, lengthOf, type ReadBody, readBody } from "./read-body.ts";
import type { Settings } from "./transport.ts";

interface ReceiveContext {
  readonly deadline: Deadline;
  readonly settings: Pick<Settings, "maxBodyBytes" | "isTimed">;
  readonly observer: BodyObserver | undefined;
  readonly secrets: readonly Secrets[];
}

/**
 * Reads the body of the final response.
 *
 * @param url The URL of the response.
 * @param start When the request was sent, from `performance.now()`.
 * @throws What a hook throws.
 */
export async function receiveBody(
  response: Response,
  context: ReceiveContext,
  url: string,
  start: number,
): Promise<ReadBody> {
  const { deadline, settings, secrets } = context;
  const { maxBodyBytes, isTimed } = settings;
  // Such a body takes as long as its consumer does.
  const isConsumed = context.observer?.keepBytes !== undefined && !isTimed;
  if (context.observer?.isUntimed || isConsumed || isEndless(response)) deadline.lift();
  if (context.observer === undefined) {
    return asStopped(await readBody(response, maxBodyBytes), response, context);
  }
  const observer = learnWhileReading(context.observer, secrets);
  try {
    observer.begin(response, url, start);
  } catch (error) {
    response.body?.cancel().catch(() => undefined);
    throw error;
  }
  const read = await readBody(response, maxBodyBytes, observer, deadline.signal);
  const body = asStopped(read, response, context);
  await observer.end(body.failure === undefined && body.stopped === undefined);
  return body;
}

/** An abort is the normal end of a stream: what was received is the response. */
function asStopped(
  read: ReadBody,
  response: Response,
  { deadline, observer }: ReceiveContext,
): ReadBody {
  if (read.failure === undefined || deadline.stop?.kind !== "aborted") return read;
  if (!observer?.mayStop && !isStream(response)) return read;
  const { failure, ...rest } = read;
  return { ...rest, stopped: true };
}

/** Why a body that was received without a failure is incomplete, or `undefined` if it is whole. */
export function cutReasonOf(
  response: Response,
  body: ReadBody,
  { observer, deadline }: ReceiveContext,
): string | undefined {
  const kept = body.content.length;
  if (body.stopped) {
    const { stop } = deadline;
    const reason = stop?.kind === "aborted" ? abortDetail(stop.reason) : "";
    return `The response was stopped${reason} after ${body.received} bytes: it may be incomplete`;
  }
  if (!body.cut) return undefined;
  if (observer?.keepBytes !== undefined) {
    return `The body was passed to onChunk: the exchange keeps ${kept} of its ${body.received} bytes`;
  }
  const length = lengthOf(response);
  const whole = length === undefined ? "" : ` of ${length}`;
  return `The body was cut after ${kept}${whole} bytes; maxBodyBytes sets the limit`;
}

/** Whether a response may never end, so that no default time limit applies to its body. */
function isEndless({ headers }: Response): boolean {
  const kind = streamKind(parseMediaType(headers.get("content-type")).essence);
  return kind === "events" || kind === "lines";
}

/** Whether a response that is aborted halfway is kept as it is: a stream, or text without a known length. */
function isStream(response: Response): boolean {
  if (isEndless(response)) return true;
  const { headers } = response;
  const { essence } = parseMediaType(headers.get("content-type"));
  const isText = essence.startsWith("text/") && essence !== "text/html";
  return isText && !headers.has("content-length");
}

/** The abort reason that a caller gave, in parentheses; nothing for the default reason of `abort()`. */
export function abortDetail(reason: unknown): string {
  if (typeof reason === "string" && reason !== "") return ` (${reason})`;
  if (!(reason instanceof Error) || reason.name === "AbortError") return "";
  return ` (${reason.message})`;
}
