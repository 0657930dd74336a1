import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout } from "node:timers";
import type { Outcome, Shown } from "../../../kernel/session/cell/mod.ts";
import type { Session } from "../../../kernel/session/mod.ts";
import type { ExecuteOptions } from "../../../kernel/session/session.ts";
import type { MimeBundle } from "../../../lib/mod.ts";

/** What a cell came to, in a form that is easy to compare. */
export interface CellRun {
  readonly outcome: Outcome;
  /** The value of the result. */
  readonly value: unknown;
  readonly stdout: () => string;
  readonly stderr: () => string;
  readonly displayed: unknown[];
  /** What is shown of each, by media type. */
  readonly bundles: () => MimeBundle[];
}

/** A session in a folder of its own, with a server on loopback. */
export interface Lab {
  readonly session: Session;
  readonly directory: string;
  /** The server's address; it answers with the method, path and headers as JSON, at /echo with the body. */
  readonly base: string;
  /** The statuses that cells have called `process.exit` with. */
  readonly exits: readonly number[];
  /** Runs a cell and demands that it ends well. */
  readonly ok: (code: string) => Promise<CellRun>;
  readonly run: (code: string, options?: ExecuteOptions) => Promise<CellRun>;
  /** Runs a cell that is to fail, and gives the error. */
  readonly fail: (
    code: string,
  ) => Promise<{ name: string; message: string; trace: string; cause: unknown }>;
}

/** Cases by name; each has a session and a folder of its own. */
export type Contract = Readonly<Record<string, (lab: Lab) => Promise<void>>>;

export function createLab(
  session: Session,
  { directory, base, exits }: Pick<Lab, "directory" | "base" | "exits">,
): Lab {
  const run = async (code: string, options?: ExecuteOptions): Promise<CellRun> => {
    const text = { stdout: "", stderr: "" };
    const displayed: unknown[] = [];
    const shown: Shown[] = [];
    const sink = {
      stream: (name: "stdout" | "stderr", piece: string): void => {
        text[name] += piece;
      },
      display: (one: Shown): void => {
        displayed.push(one.value);
        shown.push(one);
      },
    };
    const outcome = await session.execute(code, sink, options);
    const value = outcome.status === "ok" ? outcome.result?.value : undefined;
    const bundles = (): MimeBundle[] => shown.map((one) => one.bundle());
    const [stdout, stderr] = [() => text.stdout, () => text.stderr];
    return { outcome, value, stdout, stderr, displayed, bundles };
  };
  const ok = async (code: string): Promise<CellRun> => {
    const ended = await run(code);
    if (ended.outcome.status !== "ok") {
      const { outcome } = ended;
      const reason = outcome.status === "error" ? outcome.error.traceback.join("\n") : "aborted";
      throw new Error(`Cell ${JSON.stringify(code)} failed: ${reason}`);
    }
    return ended;
  };
  const fail: Lab["fail"] = async (code) => {
    const { outcome } = await run(code);
    if (outcome.status !== "error") throw new Error(`Cell ${JSON.stringify(code)} did not fail`);
    const { name, message, traceback, cause } = outcome.error;
    return { name, message, trace: traceback.join("\n"), cause };
  };
  return { session, directory, base, exits, run, ok, fail };
}

export async function startServer(): Promise<{ base: string; server: Server }> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://localhost");
    if (pathname === "/never") return;
    if (pathname === "/echo") {
      for (const name of ["content-type", "x-page"]) {
        response.setHeader(name, request.headers[name] ?? "");
      }
      request.pipe(response);
      return;
    }
    const answer = { method: request.method, path: request.url, headers: request.headers };
    response.setHeader("Content-Type", "application/json");
    response.end(JSON.stringify(answer));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { base: `http://127.0.0.1:${port}`, server };
}

/** Waits until something is so. */
export async function until(isSo: () => boolean): Promise<void> {
  const end = performance.now() + 60_000;
  while (!isSo()) {
    if (performance.now() > end) throw new Error(`It has not come to ${isSo}`);
    await pause(5);
  }
}

/** Deno may call a server in the context of a cell that has ended, where global timers do not fire. */
export const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));
