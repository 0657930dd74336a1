import { type CellError, InterruptedError, type Session } from "../../session/mod.ts";
import { cells } from "../cells.ts";
import { toErrorContent } from "../error-content.ts";
import { parseExecuteRequest } from "../fields.ts";
import type { Handler, Job, Kernel } from "../kernel.ts";
import type { ExecuteReply, ExecuteRequest, UserExpression } from "../protocol.ts";
import { type CellPublisher, createPublisher, toData } from "../publisher.ts";

export const execute: Handler = async (job, kernel) => {
  const content = parseExecuteRequest(job.request.content);
  const count = kernel.executionCount(content.store_history);
  const publisher = createPublisher(kernel.channels, job.request, content.silent);
  const run: Run = { job, kernel, content, publisher, count };
  const cell = {
    request: job.request,
    publisher,
    allowsInput: content.allow_stdin,
    hasEnded: false,
  };
  if (content.store_history) kernel.history.add(count, content.code);
  publisher.input(content.code, count);
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
  readonly content: ExecuteRequest;
  readonly publisher: CellPublisher;
  readonly count: number;
}

async function runCell(run: Run): Promise<ExecuteReply> {
  const { kernel, content, publisher, count } = run;
  const session = await kernel.session();
  const outcome = await session.execute(content.code, publisher, { name: `cell ${count}` });
  // A cell that ends the kernel has said so already.
  if (outcome.status !== "ok" && kernel.isEnding()) return succeed(run, {});
  // The session gives up a cell that was interrupted before it began.
  if (outcome.status === "aborted") return fail(run, interruption());
  if (outcome.status === "error") return fail(run, outcome.error);
  if (outcome.result !== undefined) {
    publisher.result(outcome.result, count);
    if (content.store_history) {
      kernel.history.setOutput(count, outcome.result.bundle()["text/plain"]);
    }
  }
  return succeed(run, await evaluateAll(session, content.user_expressions));
}

function succeed(
  { count }: Run,
  expressions: Readonly<Record<string, UserExpression>>,
): ExecuteReply {
  return { status: "ok", execution_count: count, payload: [], user_expressions: expressions };
}

function fail({ job, content, publisher, count }: Run, error: CellError): ExecuteReply {
  const shown = toErrorContent(error);
  publisher.error(shown);
  job.abortsQueue = content.stop_on_error;
  return { status: "error", execution_count: count, ...shown };
}

async function evaluateAll(
  session: Session,
  expressions: ExecuteRequest["user_expressions"],
): Promise<Readonly<Record<string, UserExpression>>> {
  const results: Record<string, UserExpression> = {};
  for (const [name, expression] of Object.entries(expressions)) {
    results[name] = await evaluate(session, expression);
  }
  return results;
}

async function evaluate(session: Session, expression: string): Promise<UserExpression> {
  const sink = { stream: () => undefined, display: () => undefined };
  // In parentheses, `{ a: 1 }` is an object and a list of statements is the mistake that it is.
  const outcome = await session.execute(`%%ts\n(${expression}\n)`, sink, { name: "expression" });
  if (outcome.status === "ok") {
    const empty = { data: { "text/plain": "undefined" }, metadata: {} };
    return { status: "ok", ...(outcome.result === undefined ? empty : toData(outcome.result)) };
  }
  const error = outcome.status === "error" ? outcome.error : interruption();
  return { status: "error", ...toErrorContent(error) };
}

function interruption(): CellError {
  const cause = new InterruptedError();
  const { name, message } = cause;
  return { name, message, traceback: [`${name}: ${message}`], cause };
}
