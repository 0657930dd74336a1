import { randomUUID } from "node:crypto";
import type { Secrets } from "../../lib/mod.ts";
import type { SessionHistory } from "../platform/mod.ts";
import {
  type CellError,
  InterruptedError,
  type OutputSink,
  type Shown,
} from "../session/cell/mod.ts";
import type { Session } from "../session/mod.ts";
import { cells } from "./cell-globals.ts";
import type { Channels } from "./channels.ts";
import type { Handler, Job, Kernel } from "./kernel.ts";
import { type Message, parseExecuteRequest, toErrorContent } from "./message.ts";
import type {
  DataContent,
  ErrorContent,
  ExecuteReply,
  ExecuteRequest,
  Publications,
  UserExpression,
} from "./protocol.ts";
import { loadSessionModule, sessionModule } from "./session-module.ts";

export const execute: Handler = async (job, kernel) => {
  const content = parseExecuteRequest(job.request.content);
  const count = kernel.executionCount(content.store_history);
  const publisher = createPublisher(kernel.channels, job.request, content.silent);
  const cell = {
    request: job.request,
    publisher,
    allowsInput: content.allow_stdin,
    hasEnded: false,
  };
  if (content.store_history) kernel.history.add(count, content.code);
  await loadSessionModule();
  const kept = await kernel.kept();
  const run: Run = { job, kernel, kept, content, publisher, count };
  job.onLost = () => fail(run, interruption());
  try {
    return await cells.run(cell, () => runCell(run));
  } finally {
    cell.hasEnded = true;
  }
};

interface Run {
  readonly job: Job;
  readonly kernel: Kernel;
  readonly kept: SessionHistory;
  /** Known once the session is open. */
  secrets?: Secrets;
  readonly content: ExecuteRequest;
  readonly publisher: CellPublisher;
  readonly count: number;
}

async function runCell(run: Run): Promise<ExecuteReply> {
  const { job, kernel, content, publisher, count } = run;
  const session = await kernel.session();
  // All front ends receive the input, and may save it.
  const { secrets } = session.client;
  run.secrets = secrets;
  secrets.learn({ kind: "source", text: content.code }, "person");
  publisher.input(secrets.mask(content.code), count);
  const outcome = await session.execute(content.code, publisher, { name: `cell ${count}` });
  // A cell that ends the kernel has reported that already.
  if (outcome.status !== "ok" && kernel.isEnding()) return succeed(run, {});
  // The session aborts a cell that was interrupted before it started.
  if (outcome.status === "aborted") return fail(run, interruption());
  if (outcome.status === "error") return fail(run, outcome.error);
  if (outcome.result !== undefined) {
    const data = toData(outcome.result);
    job.beforeReply.push(() => publisher.result(data, count));
    if (content.store_history) {
      // Secrets were revealed in this output only, not in the history.
      kernel.history.setOutput(count, secrets.mask(outcome.result.bundle()["text/plain"]));
    }
  }
  return succeed(run, await evaluateAll(run, session));
}

function succeed(run: Run, expressions: Readonly<Record<string, UserExpression>>): ExecuteReply {
  keepInHistory(run);
  return { status: "ok", execution_count: run.count, payload: [], user_expressions: expressions };
}

/** What this cell and earlier ones contain may have become a secret while it ran. */
function keepInHistory({ kept, content, count, secrets }: Run): void {
  if (secrets === undefined) return;
  const isKeepable = (code: string): boolean => sessionModule().isKeepable(code, secrets);
  const { code } = content;
  if (content.store_history && isKeepable(code)) kept.keep({ line: count, input: code });
  kept.review(isKeepable, secrets.revision);
}

function fail(run: Run, error: CellError): ExecuteReply {
  const { job, content, publisher, count } = run;
  keepInHistory(run);
  const shown = toErrorContent(error);
  job.beforeReply.push(() => publisher.error(shown));
  job.abortsQueue = content.stop_on_error;
  return { status: "error", execution_count: count, ...shown };
}

async function evaluateAll(
  { content }: Run,
  session: Session,
): Promise<Readonly<Record<string, UserExpression>>> {
  // Not an object: `__proto__` would not become a property of it.
  const results = new Map<string, UserExpression>();
  for (const [name, expression] of Object.entries(content.user_expressions)) {
    results.set(name, await evaluate(expression, session));
  }
  return Object.fromEntries(results);
}

async function evaluate(expression: string, session: Session): Promise<UserExpression> {
  // In parentheses `{ a: 1 }` is an object, and statements are a syntax error.
  const code = `%%ts\n(${expression}\n)`;
  const outcome = await session.execute(code, SILENT, { name: "expression" });
  if (outcome.status === "ok") return { status: "ok", ...toResult(outcome.result) };
  const error = outcome.status === "error" ? outcome.error : interruption();
  return { status: "error", ...toErrorContent(error) };
}

function interruption(): CellError {
  const cause = new InterruptedError();
  return { name: cause.name, message: cause.message, traceback: [], cause };
}

const SILENT: OutputSink = { stream: () => undefined, display: () => undefined };

function toResult(result: Shown | undefined): DataContent {
  if (result !== undefined) return toData(result);
  return { data: { "text/plain": "undefined" }, metadata: {} };
}

/** Publishes the output of one cell, while it runs and after. */
export interface CellPublisher extends OutputSink {
  /** Shows a value that can be replaced by the identifier that is returned. */
  displayWithId(shown: Shown, id?: string): string;
  update(id: string, shown: Shown): void;
  /** Removes the cell's output, at once or when the next output comes. */
  clear(wait: boolean): void;
  input(code: string, count: number): void;
  result(data: DataContent, count: number): void;
  error(content: ErrorContent): void;
}

/** Creates the publisher of a cell; a silent cell publishes nothing. */
function createPublisher(channels: Channels, request: Message, silent: boolean): CellPublisher {
  const publish = <Type extends keyof Publications>(type: Type, content: Publications[Type]) => {
    if (!silent) channels.publish(type, content, request);
  };
  return {
    stream: (name, text) => {
      if (!silent && text !== "") channels.stream(name, text, request);
    },
    display: (shown) => publish("display_data", { ...toData(shown), transient: {} }),
    displayWithId: (shown, id = randomUUID()) => {
      publish("display_data", { ...toData(shown), transient: { display_id: id } });
      return id;
    },
    update: (id, shown) =>
      publish("update_display_data", { ...toData(shown), transient: { display_id: id } }),
    clear: (wait) => publish("clear_output", { wait }),
    input: (code, count) => publish("execute_input", { code, execution_count: count }),
    result: (data, count) =>
      publish("execute_result", { ...data, transient: {}, execution_count: count }),
    error: (content) => publish("error", content),
  };
}

/** Converts a value to the protocol's MIME bundle. */
function toData(shown: Shown): DataContent {
  return { data: { ...shown.bundle() }, metadata: shown.metadata };
}
