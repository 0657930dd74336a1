import type { Exchange } from "../exchange/mod.ts";
import { createContent, createEnds, createExchange, learnAnswer } from "../exchange/mod.ts";
import type { SendOptions, Stop } from "../http/mod.ts";
import { createWatch } from "../http/mod.ts";
import type { MessageStep } from "../request/mod.ts";
import type { OnMessage, SocketMessage } from "./conversation.ts";
import { openSocket, type SocketAccess, type SocketRequest } from "./open.ts";

/** So many messages of a request are kept, from its beginning and from its end, and so many characters. */
const KEPT = { first: 5_000, last: 5_000, size: 16 * 1024 * 1024 } as const;
/** How long the other side may take to agree to the end, in milliseconds. */
const FAREWELL = 1_000;
const QUIET = 2_000;
const PIECE = 3 * 8_192;

/**
 * Opens a WebSocket, sends messages and listens: until nothing has come for a while after the last
 * message, until the server closes, or, without messages, until it is stopped.
 *
 * @returns The record of all messages as the body of an exchange, an array in JSON.
 */
export async function runMessages(
  request: SocketRequest,
  steps: readonly MessageStep[],
  options: SendOptions,
  access: SocketAccess,
): Promise<Exchange> {
  const startedAt = new Date();
  const records = createEnds<string>({ ...KEPT, sizeOf: (record) => record.length });
  const watch = createWatch(options, {});
  let wake = (): void => undefined;
  let received = 0;
  let isOpen = false;
  const early: SocketMessage[] = [];
  const note: OnMessage = (message, from) => {
    const record = toRecord(message);
    records.push(record);
    const told = watch.chunk(new TextEncoder().encode(`${record}\n`));
    if (!(told instanceof Promise)) return;
    from.wait(message);
    void told.finally(() => from.taken(message));
  };
  const onMessage: OnMessage = (message, from) => {
    if (message.from === "server") received += 1;
    if (isOpen) note(message, from);
    else early.push(message);
    wake();
  };
  const opened = await openSocket(request, options, access, onMessage, { isWhole: true });
  const { conversation, deadline, sent, start } = opened;
  const headers = performance.now() - start;
  let hasClosed = false;
  const closed = conversation.closed.then((how) => {
    hasClosed = true;
    wake();
    return how;
  });
  /** Settles with the next message or the end; `false` when nothing came in time. */
  const next = (milliseconds: number | undefined): Promise<boolean> =>
    new Promise((resolve) => {
      const timer =
        milliseconds === undefined ? undefined : setTimeout(() => resolve(false), milliseconds);
      wake = () => {
        clearTimeout(timer);
        resolve(true);
      };
      if (hasClosed) wake();
    });

  try {
    watch.begin(recordHead("application/x-ndjson"), sent.url, start);
    isOpen = true;
    for (const message of early.splice(0)) note(message, conversation);
    let awaited = 0;
    for (const step of steps) {
      if (hasClosed) break;
      if (step.kind === "send") conversation.send(step.text);
      else {
        awaited += 1;
        while (received < awaited && !hasClosed) await next(undefined);
      }
    }
    const quiet = steps.length === 0 ? undefined : (options.quiet ?? QUIET);
    while (!hasClosed && (await next(quiet)));
    conversation.close(1000);
    const how = await Promise.race([closed, pause(FAREWELL)]);
    const { stop } = deadline;
    const isStopped = stop !== undefined || conversation.failure !== undefined;
    await watch.end(!isStopped);
    const hidden = records.count - records.first.length - records.last.length;
    const stopReason = stop === undefined ? undefined : stopRemark(stop);
    const text = `[${[...records.first, ...records.last].join(",\n")}]`;
    const exchange = createExchange({
      request: sent,
      url: sent.url,
      response: recordHead("application/json"),
      content: createContent([new TextEncoder().encode(text)]),
      cut: isStopped || hidden > 0,
      cutReason: stopReason,
      timing: { startedAt, headers, total: performance.now() - start },
      redirects: [],
      warnings: [
        ...opened.warnings,
        ...(stopReason === undefined ? [] : [stopReason]),
        ...(hidden > 0 ? [`${hidden} messages in the middle were not kept`] : []),
        ...closeRemark(how),
      ],
      secrets: [access.secrets],
      show: access.show,
    });
    learnAnswer(exchange, access.secrets);
    access.add(exchange);
    options.onExchange?.(exchange);
    return exchange;
  } finally {
    conversation.close();
    opened.release();
  }
}

function stopRemark(stop: Stop): string {
  const after = stop.kind === "timed-out" ? ` by its time limit of ${stop.milliseconds} ms` : "";
  return `The conversation was stopped${after}: it may have gone on`;
}

function closeRemark(
  how: { readonly code: number; readonly reason: string } | undefined,
): string[] {
  if (how === undefined || how.code === 1000 || how.code === 1005 || how.reason === "aborted") {
    return [];
  }
  const reason = how.reason === "" ? "" : `: ${how.reason}`;
  return [`The connection was closed with code ${how.code}${reason}`];
}

/** The body is our record of the messages, not what came over the wire. */
function recordHead(type: string): Pick<Response, "status" | "statusText" | "headers"> {
  const headers = new Headers({ "content-type": type });
  return { status: 101, statusText: "Switching Protocols", headers };
}

function toRecord({ at, from, data }: SocketMessage): string {
  return `{"at":${at},"from":"${from}","message":${toMessage(data)}}`;
}

/** JSON stands as it is, all its digits kept; other texts as strings, bytes in base64. */
function toMessage(data: string | Uint8Array): string {
  if (typeof data !== "string") {
    const parts: string[] = [];
    // In pieces whose digits end with their bytes: the whole as characters would be far larger than it is.
    for (let at = 0; at < data.length; at += PIECE) {
      const characters = Array.from(data.subarray(at, at + PIECE), (byte) =>
        String.fromCharCode(byte),
      );
      parts.push(btoa(characters.join("")));
    }
    return `{"base64":"${parts.join("")}"}`;
  }
  if (/^\s*[[{]/.test(data)) {
    try {
      JSON.parse(data);
      return data.replace(/[\r\n]+/g, " ");
    } catch {
      // No JSON: it is kept as the text that it is.
    }
  }
  return JSON.stringify(data);
}

function pause(milliseconds: number): Promise<undefined> {
  return new Promise((resolve) => setTimeout(() => resolve(undefined), milliseconds));
}
