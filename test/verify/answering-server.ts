import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

interface Answer {
  readonly status?: number;
  readonly type?: string;
  readonly location?: string;
  readonly body?: string;
}

/** A server whose answers a test changes. */
export interface AnsweringServer {
  readonly base: string;
  /** The requests since `reset`, as `GET /path`. */
  readonly seen: string[];
  /** Sets the answer of a path. */
  answer(path: string, body: unknown, others?: Answer): void;
  /** Sets the answers of the beginning. */
  reset(): void;
  close(): Promise<void>;
}

/** The user of the beginning. */
export const USER: Readonly<Record<string, unknown>> = {
  id: 1,
  name: "Ada",
  createdAt: "2026-01-02T03:04:05Z",
  tags: ["math"],
};

export async function startAnsweringServer(): Promise<AnsweringServer> {
  const answers = new Map<string, Answer>();
  const seen: string[] = [];
  const server = createServer((request, response) => {
    const path = (request.url ?? "").replace(/\?.*/, "");
    seen.push(`${request.method} ${request.url}`);
    const { status = 200, type, location, body } = answers.get(path) ?? { status: 404 };
    response.writeHead(status, {
      ...(type === undefined ? {} : { "content-type": type }),
      ...(location === undefined ? {} : { location }),
    });
    response.end(body);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const answer: AnsweringServer["answer"] = (path, body, others = {}) => {
    answers.set(path, { type: "application/json", body: JSON.stringify(body), ...others });
  };
  const reset = (): void => {
    seen.length = 0;
    answers.clear();
    answer("/user", USER);
    answer("/users", { items: [USER, { ...USER, id: 2, nickname: "Bob" }], total: 2 });
    answer("/old", undefined, { status: 302, location: "/user" });
    answer("/text", undefined, { type: "text/plain", body: "plain" });
  };
  reset();
  return {
    base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    answer,
    reset,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
