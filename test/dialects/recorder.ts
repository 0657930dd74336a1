import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

/** A request as the server received it. */
export interface Received {
  readonly method: string;
  /** The request target: path and query. */
  readonly target: string;
  /** With names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What the server answers to a path: JSON, a text with its media type, or a redirect. */
export type Answers = Readonly<Record<string, Answer>>;

type Answer =
  | { readonly json: unknown }
  | { readonly text: string; readonly type: string }
  | { readonly status: number; readonly location: string };

export interface Recorder {
  /** `127.0.0.1:port`. */
  readonly host: string;
  readonly received: readonly Received[];
  close(): Promise<void>;
}

/**
 * Starts a server that records requests, and answers a path without an answer with the request as JSON.
 *
 * @param answers All answers, or what gives them for each request.
 */
export async function startRecorder(
  answers: Answers | ((request: Received) => Answers),
): Promise<Recorder> {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    const one = await toReceived(request);
    received.push(one);
    const answer = (typeof answers === "function" ? answers(one) : answers)[
      one.target.split("?", 1)[0] ?? ""
    ];
    if (answer !== undefined && "location" in answer) {
      response.writeHead(answer.status, { Location: answer.location }).end();
      return;
    }
    const isText = answer !== undefined && "text" in answer;
    response.setHeader("Content-Type", isText ? answer.type : "application/json");
    response.end(isText ? answer.text : JSON.stringify(answer === undefined ? one : answer.json));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    host: `127.0.0.1:${port}`,
    received,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function toReceived(request: IncomingMessage): Promise<Received> {
  const headers = Object.entries(request.headers).map(([name, value]) => [name, String(value)]);
  return {
    method: request.method ?? "",
    target: request.url ?? "",
    headers: Object.fromEntries(headers),
    body: await text(request),
  };
}
