import type { Secrets } from "../../secrets/mod.ts";
import type { Deadline, Settings } from "../transport/mod.ts";
import type { BodyObserver } from "./body-observer.ts";
import { learnWhileReading } from "./learn-while-reading.ts";
import { type ReadBody, readBody } from "./read-body.ts";
import { isEndless, isStream } from "./streaming-types.ts";

/** What reading an answer needs to know of how its request was sent. */
export interface Receiving {
  readonly deadline: Deadline;
  readonly settings: Pick<Settings, "maxBodyBytes" | "isTimed">;
  readonly arrival: BodyObserver | undefined;
  /** What is learned of an answer that is watched, while it comes. */
  readonly secrets: readonly Secrets[];
}

/**
 * Reads the body of the final answer, watched or not.
 *
 * @param url Where the answer comes from.
 * @param start When sending began, by `performance.now()`.
 * @throws What a hook throws.
 */
export async function receiveBody(
  response: Response,
  receiving: Receiving,
  url: string,
  start: number,
): Promise<ReadBody> {
  const { deadline, settings, secrets } = receiving;
  const { maxBodyBytes, isTimed } = settings;
  // What is handed on takes as long as those who take it.
  const isHandedOn = receiving.arrival?.keepBytes !== undefined && !isTimed;
  if (receiving.arrival?.isUntimed || isHandedOn || isEndless(response)) deadline.lift();
  if (receiving.arrival === undefined) {
    return asStopped(await readBody(response, maxBodyBytes), response, receiving);
  }
  const arrival = learnWhileReading(receiving.arrival, secrets);
  try {
    arrival.begin(response, url, start);
  } catch (error) {
    response.body?.cancel().catch(() => undefined);
    throw error;
  }
  const read = await readBody(response, maxBodyBytes, arrival, deadline.signal);
  const body = asStopped(read, response, receiving);
  await arrival.end(body.failure === undefined && body.stopped === undefined);
  return body;
}

/** A stream ends by being stopped more often than not: what had come is an answer. */
function asStopped(read: ReadBody, response: Response, { deadline, arrival }: Receiving): ReadBody {
  if (read.failure === undefined || deadline.stop?.kind !== "aborted") return read;
  if (!arrival?.mayStop && !isStream(response)) return read;
  const { failure, ...rest } = read;
  return { ...rest, stopped: true };
}

/** Why a body without a failure is incomplete; nothing where it is complete. */
export function cutReasonOf(
  response: Response,
  body: ReadBody,
  { arrival, deadline }: Receiving,
): string | undefined {
  const kept = body.content.length;
  if (body.stopped) {
    const reason = reasonOf(deadline);
    return `The answer was stopped${reason} after ${body.received} bytes: it may have gone on`;
  }
  if (!body.cut) return undefined;
  if (arrival?.keepBytes !== undefined) {
    return `The body was handed on as it came: ${kept} of ${body.received} bytes are kept here`;
  }
  const length = response.headers.get("content-length");
  const whole = length && !response.headers.has("content-encoding") ? ` of ${length}` : "";
  return (
    `The body was cut after ${kept}${whole} bytes, the rest was not downloaded; ` +
    "maxBodyBytes sets the limit"
  );
}

function reasonOf({ stop }: Deadline): string {
  const reason = stop?.kind === "aborted" ? stop.reason : undefined;
  if (typeof reason === "string" && reason !== "") return ` (${reason})`;
  if (!(reason instanceof Error) || reason.name === "AbortError") return "";
  return ` (${reason.message})`;
}
