import { randomUUID } from "node:crypto";
import {
  type CellError,
  InterruptedError,
  type OutputSink,
  type Shown,
} from "../session/cell/mod.ts";
import type { Session } from "../session/mod.ts";
import { cells } from "./cell-globals.ts";
import type { Channels, Job } from "./channels.ts";
import { parseExecuteRequest, toErrorContent } from "./content.ts";
import { type Handler, type Kernel, loadSessionModule, type Run } from "./kernel.ts";
import type {
  DataContent,
  ErrorContent,
  ExecuteReply,
  ExecuteRequest,
  Publications,
  UserExpression,
} from "./protocol.ts";

export const execute: Handler = async (run, kernel) => {
  const { job } = run;
  const content = parseExecuteRequest(job.content);
  const count = kernel.executionCount(content.store_history);
  const publisher = createPublisher(kernel.channels, job, content.silent);
  const scope = { job, publisher, allowsInput: content.allow_stdin, hasEnded: false };
  if (content.store_history) kernel.history.add(count, content.code);
  const cell: Cell = { run, content, publisher, count, keep: () => undefined };
  run.onLost = () => fail(cell, interruption());
  const { isKeepable } = await loadSessionModule();
  const { file } = await kernel.kept();
  const session = await kernel.session();
  const { secrets } = session.client;
  cell.keep = () => {
    const { code } = content;
    if (content.store_history && isKeepable(code, secrets)) file.add({ line: count, input: code });
    file.review((input) => isKeepable(input, secrets), secrets.revision);
  };
  try {
    return await cells.run(scope, () => runCell(cell, session, kernel));
  } finally {
    scope.hasEnded = true;
  }
};

interface Cell {
  readonly run: Run;
  readonly content: ExecuteRequest;
  readonly publisher: CellPublisher;
  readonly count: number;
  /**
   * Keeps the cell in the history on disk when it ends, once the session is open: what this cell and earlier
   * ones contain may have become a secret while it ran.
   */
  keep: () => void;
}

async function runCell(cell: Cell, session: Session, kernel: Kernel): Promise<ExecuteReply> {
  const { run, content, publisher, count } = cell;
  // All front ends receive the input, and may save it.
  const { secrets } = session.client;
  secrets.learn({ kind: "source", text: content.code }, "person");
  publisher.input(secrets.mask(content.code), count);
  const outcome = await session.execute(content.code, publisher, {
    name: `cell ${count}`,
    isSilent: content.silent,
  });
  // A cell that ends the kernel has reported that already.
  if (outcome.status !== "ok" && kernel.isEnding()) return succeed(cell, {});
  // The session aborts a cell that was interrupted before it started.
  if (outcome.status === "aborted") return fail(cell, interruption());
  if (outcome.status === "error") return fail(cell, outcome.error);
  if (outcome.result !== undefined) {
    const data = toData(outcome.result);
    run.beforeReply.push(() => publisher.result(data, count));
    if (content.store_history) {
      // Secrets were revealed in this output only, not in the history.
      kernel.history.setOutput(count, secrets.mask(outcome.result.bundle()["text/plain"]));
    }
  }
  return succeed(cell, await evaluateAll(content, session));
}

function succeed(cell: Cell, expressions: Readonly<Record<string, UserExpression>>): ExecuteReply {
  cell.keep();
  return { status: "ok", execution_count: cell.count, payload: [], user_expressions: expressions };
}

function fail({ run, content, publisher, count, keep }: Cell, error: CellError): ExecuteReply {
  keep();
  const shown = toErrorContent(error);
  run.beforeReply.push(() => publisher.error(shown));
  run.abortsQueue = content.stop_on_error;
  return { status: "error", execution_count: count, ...shown };
}

async function evaluateAll(
  content: ExecuteRequest,
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
  const outcome = await session.execute(code, SILENT, { name: "expression", isSilent: true });
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
function createPublisher(channels: Channels, job: Job, silent: boolean): CellPublisher {
  const publish = <Type extends keyof Publications>(type: Type, content: Publications[Type]) => {
    if (!silent) channels.publish(type, content, job);
  };
  return {
    stream: (name, text) => {
      if (!silent && text !== "") channels.stream(name, text, job);
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
