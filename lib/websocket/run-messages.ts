import {
  createContent,
  createEnds,
  createExchange,
  type Ends,
  type Exchange,
  learnAnswer,
  NoResponseError,
  toBase64,
} from "../exchange/mod.ts";
import {
  type BodyObserver,
  createBodyObserver,
  MAX_TIMER,
  nonNegative,
  type SendOptions,
  type Stop,
} from "../http/mod.ts";
import { beginsAsJson, type MessageStep } from "../request/mod.ts";
import type { Conversation, SocketClose, SocketMessage } from "./conversation.ts";
import { type OpenedSocket, openSocket, type SocketContext, type SocketRequest } from "./open.ts";

/** Messages that are kept of the beginning and of the end, and the characters of each. */
const KEPT = { first: 5_000, last: 5_000, size: 16 * 1024 * 1024 } as const;
/** How long the server may take to close the connection, in milliseconds. */
const CLOSE_TIMEOUT = 1_000;
/** How long no message arrives before the run ends by default, in milliseconds. */
const QUIET = 2_000;

/** The state of a run. */
interface Run {
  readonly records: Ends<string>;
  readonly observer: BodyObserver;
  /** Messages that arrived before the observer was started; then `undefined`. */
  early: SocketMessage[] | undefined;
  /** How many messages the server has sent. */
  received: number;
  isClosed: boolean;
  /** Ends the wait for the next message. */
  wake: () => void;
}

/**
 * Opens a WebSocket, sends messages and listens: until the server is quiet for a while after the last
 * message, until it closes, or, without messages, until the run is stopped.
 *
 * @throws {TypeError} The option `quiet` is invalid.
 * @returns An exchange whose body is the JSON array of all messages.
 */
export async function runMessages(
  request: SocketRequest,
  steps: readonly MessageStep[],
  options: SendOptions,
  context: SocketContext,
): Promise<Exchange> {
  const quiet = steps.length === 0 ? Infinity : nonNegative("quiet", options.quiet ?? QUIET);
  const startedAt = new Date();
  const run: Run = {
    records: createEnds({ ...KEPT, sizeOf: (record) => record.length }),
    observer: createBodyObserver(options, {}),
    early: [],
    received: 0,
    isClosed: false,
    wake: () => undefined,
  };
  let opened: OpenedSocket;
  try {
    opened = await openSocket(
      request,
      options,
      context,
      (message, from) => receive(run, message, from),
      true,
    );
  } catch (error) {
    // A refused handshake is a response as any other.
    const { partial } = error instanceof NoResponseError ? error : {};
    if (partial === undefined) throw error;
    context.add(partial);
    options.onExchange?.(partial);
    return partial;
  }
  const { conversation, sent, start } = opened;
  const headers = performance.now() - start;
  const closed = conversation.closed.then((how) => {
    run.isClosed = true;
    run.wake();
    return how;
  });
  try {
    run.observer.begin(recordHead("application/x-ndjson"), sent.url, start);
    for (const message of run.early ?? []) record(run, message, conversation);
    run.early = undefined;
    await sendSteps(run, steps, conversation);
    while (!run.isClosed && (await nextMessage(run, quiet)));
    conversation.close(1000);
    const how = await Promise.race([closed, pause(CLOSE_TIMEOUT)]);
    const isStopped = opened.deadline.stop !== undefined || conversation.failure !== undefined;
    await run.observer.end(!isStopped);
    const timing = { startedAt, headers, total: performance.now() - start };
    const exchange = toExchange(run, opened, how, isStopped, timing, context);
    learnAnswer(exchange, context.secrets);
    context.add(exchange);
    options.onExchange?.(exchange);
    return exchange;
  } finally {
    conversation.close();
    opened.release();
  }
}

function receive(run: Run, message: SocketMessage, from: Conversation): void {
  if (message.from === "server") run.received += 1;
  if (run.early === undefined) record(run, message, from);
  else run.early.push(message);
  run.wake();
}

function record({ records, observer }: Run, message: SocketMessage, from: Conversation): void {
  const text = toRecord(message);
  records.push(text);
  const observed = observer.chunk(new TextEncoder().encode(`${text}\n`));
  if (!(observed instanceof Promise)) return;
  from.addUnread(message);
  void observed.finally(() => from.removeUnread(message));
}

async function sendSteps(
  run: Run,
  steps: readonly MessageStep[],
  conversation: Conversation,
): Promise<void> {
  let awaited = 0;
  for (const step of steps) {
    if (run.isClosed) return;
    if (step.kind === "send") conversation.send(step.text);
    else {
      awaited += 1;
      while (run.received < awaited && !run.isClosed) await nextMessage(run, Infinity);
    }
  }
}

/** Waits for the next message or the end; `false` if nothing arrives in time. */
function nextMessage(run: Run, milliseconds: number): Promise<boolean> {
  return new Promise((resolve) => {
    const timer =
      milliseconds <= MAX_TIMER ? setTimeout(() => resolve(false), milliseconds) : undefined;
    run.wake = () => {
      clearTimeout(timer);
      resolve(true);
    };
    if (run.isClosed) run.wake();
  });
}

function toExchange(
  { records }: Run,
  { sent, deadline, warnings, notes }: OpenedSocket,
  how: SocketClose | undefined,
  isStopped: boolean,
  timing: Exchange["timing"],
  context: SocketContext,
): Exchange {
  const omitted = records.count - records.first.length - records.last.length;
  const cutReason = deadline.stop === undefined ? undefined : stopWarning(deadline.stop);
  const text = `[${[...records.first, ...records.last].join(",\n")}]`;
  return createExchange({
    request: sent,
    url: sent.url,
    response: recordHead("application/json"),
    content: createContent([new TextEncoder().encode(text)]),
    cut: isStopped || omitted > 0,
    cutReason,
    timing,
    redirects: [],
    warnings: [
      ...warnings,
      ...(cutReason === undefined ? [] : [cutReason]),
      ...(omitted > 0 ? [`${omitted} messages in the middle were not kept`] : []),
      ...closeWarnings(how),
    ],
    notes,
    secrets: [context.secrets],
    show: context.show,
  });
}

function stopWarning(stop: Stop): string {
  const after = stop.kind === "timed-out" ? ` by its timeout of ${stop.milliseconds} ms` : "";
  return `The conversation was stopped${after}: it may be incomplete`;
}

function closeWarnings(how: SocketClose | undefined): readonly string[] {
  if (how === undefined || how.code === 1000 || how.code === 1005 || how.reason === "aborted") {
    return [];
  }
  const reason = how.reason === "" ? "" : `: ${how.reason}`;
  return [`The connection was closed with code ${how.code}${reason}`];
}

/** The head of the record of messages, which replaces that of the response. */
function recordHead(type: string): Pick<Response, "status" | "statusText" | "headers"> {
  const headers = new Headers({ "content-type": type });
  return { status: 101, statusText: "Switching Protocols", headers };
}

function toRecord({ at, from, data }: SocketMessage): string {
  return `{"at":${at},"from":"${from}","message":${toMessage(data)}}`;
}

/** JSON is kept as text, so that numbers keep all their digits; bytes become Base64. */
function toMessage(data: string | Uint8Array): string {
  if (typeof data !== "string") return `{"base64":"${toBase64(data)}"}`;
  if (beginsAsJson(data)) {
    try {
      JSON.parse(data);
      return data.replace(/[\r\n]+/g, " ");
    } catch {
      // Not JSON: kept as a string.
    }
  }
  return JSON.stringify(data);
}

function pause(milliseconds: number): Promise<undefined> {
  return new Promise((resolve) => setTimeout(() => resolve(undefined), milliseconds));
}
