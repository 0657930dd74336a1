import type { Socket } from "node:net";
import type { Readable, Writable } from "node:stream";
import type { ConnectionDetails } from "../../lib/mod.ts";
import { describeSocket } from "./connection-details.ts";
import { type Answer, type Call, mayHaveBody, pairsOf, writeBody } from "./message.ts";
import { createResponseBody, type ResponseBody } from "./response-body.ts";

/** The head of an answer as a connection reports it. */
export interface Head {
  readonly status: number;
  readonly statusText: string;
  /** Names and values in turn. */
  readonly rawHeaders: readonly string[];
}

/** An answer whose head has arrived. */
export interface Arrival extends Head {
  readonly httpVersion: string;
  readonly contentEncoding: string | undefined;
  /** The body as it comes from the connection. */
  readonly source: Readable;
  readonly isComplete: () => boolean;
  readonly rawTrailers: () => readonly string[];
  readonly socket: Socket;
  readonly isReused: boolean;
}

/** What a connection reports of a request. */
export interface Events {
  informational(head: Head): void;
  answered(arrival: Arrival): void;
  /** The connection has failed; a complete answer does not care. */
  failed(cause: unknown): void;
}

/** A request on its way. */
export interface Sending {
  /** Takes the body. */
  readonly outgoing: Writable;
  /** Ends it, whatever has arrived. */
  readonly cancel: () => void;
  /** What of the call is not sent. */
  readonly remarks: readonly string[];
}

/** Sends a call, and resolves when the head of its answer has arrived. An abort ends both, also later. */
export function exchange(call: Call, begin: (events: Events) => Sending): Promise<Answer> {
  const { method, decompresses, signal, start } = call;
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const informational: ConnectionDetails["informational"][number][] = [];
    let body: ResponseBody | undefined;
    const { outgoing, cancel, remarks } = begin({
      informational({ rawHeaders, ...head }) {
        informational.push({ ...head, headers: pairsOf(rawHeaders) });
      },
      answered({ status, statusText, rawHeaders, source, ...arrival }) {
        const { httpVersion, contentEncoding, isComplete, rawTrailers, socket, isReused } = arrival;
        try {
          body = mayHaveBody(method, status)
            ? createResponseBody(source, decompresses ? contentEncoding : undefined, isComplete)
            : undefined;
        } catch (cause) {
          return stop(cause);
        }
        const headers = pairsOf(rawHeaders);
        const connection = {
          ...describeSocket(socket, start, isReused),
          httpVersion,
          headers,
          informational,
          get remarks() {
            return [...remarks, ...(body?.remarks ?? [])];
          },
          get trailers() {
            return pairsOf(rawTrailers());
          },
        };
        // A server that has answered does not need the rest of the request body.
        source.once("end", () => {
          if (!outgoing.writableFinished) cancel();
        });
        resolve({ status, statusText, headers, body: body?.stream ?? null, connection });
        // A 205 must not have a body.
        if (status === 205) source.destroy();
        else if (body === undefined) source.resume();
      },
      failed(cause) {
        reject(cause);
        body?.connectionFailed(cause);
      },
    });
    function stop(cause: unknown): void {
      reject(cause);
      body?.fail(cause);
      cancel();
    }
    // By way of the call, so that its request is not collected before.
    const onAbort = (): void => stop(call.signal?.reason);
    signal?.addEventListener("abort", onAbort);
    outgoing.on("close", () => call.signal?.removeEventListener("abort", onAbort));
    writeBody(call, outgoing, stop);
  });
}
