import { toVisibleLine } from "../../lib/display/mod.ts";
import type { Platform } from "../platform/mod.ts";
import { worstStatus } from "../session/mod.ts";
import { type CommandContext, readAll, runInContext } from "./command-context.ts";
import { checkOutput, type Document, findDocuments } from "./document/mod.ts";
import { EXIT } from "./exit-status.ts";
import { openSession } from "./open-session.ts";
import type { RunOptions } from "./options.ts";
import { prepareClient } from "./prepare-client.ts";
import { type DocumentRun, EXITED, runDocument } from "./run/mod.ts";
import { createSaver } from "./save.ts";
import { TerminalReporter } from "./terminal-reporter.ts";

/**
 * `restlab run`: reads all files first, so that a wrong name sends nothing, then runs them in order,
 * each in a session of its own.
 *
 * @returns The exit status, one of {@link EXIT}, or with `--check-status` 3, 4 or 5.
 */
export async function runCommand(given: RunOptions, platform: Platform): Promise<number> {
  const options = { ...given, files: await findDocuments(given.files) };
  const { output, record, recordMissing = false } = options;
  const setup = {
    ...options,
    writesFile: output !== undefined || record !== undefined || recordMissing,
    ...(output !== undefined && { saved: `${output} has the outputs of the cells before it` }),
  };
  const prepare = async (): Promise<readonly Document[]> => {
    const documents = await readAll(options.files, platform);
    if (output !== undefined) await checkOutput(output, documents);
    await options.observer?.documentsRead(documents);
    return documents;
  };
  return await runInContext(setup, platform, prepare, (documents, context) =>
    runAll(documents, options, context),
  );
}

async function runAll(
  documents: readonly Document[],
  options: RunOptions,
  context: CommandContext,
): Promise<number> {
  const { interruption } = context;
  const runs: DocumentRun[] = [];
  let worst = 0;
  // Asked again after each document: what one did not await may fail later.
  const hasFailed = (): boolean => runs.some(({ failed, givenUp }) => failed.size + givenUp > 0);
  for (const document of documents) {
    const isLast = document === documents.at(-1);
    const interact = isLast ? options.interact : undefined;
    const { run, exit, status } = await runOne(document, options, context, interact);
    runs.push(run);
    worst = Math.max(worst, status);
    if (interruption.signal.aborted) return interruption.status();
    if (exit !== undefined) return exit;
    if (hasFailed() && !options.keepGoing) break;
  }
  if (hasFailed()) return EXIT.cellFailed;
  return options.checkStatus ? worst : EXIT.ok;
}

interface OneRun {
  readonly run: DocumentRun;
  /** The status of `process.exit`. */
  readonly exit: number | undefined;
  /** The exit status for the worst status of its responses. */
  readonly status: number;
}

async function runOne(
  document: Document,
  options: RunOptions,
  context: CommandContext,
  interact: RunOptions["interact"],
): Promise<OneRun> {
  const { platform, interruption, breaker } = context;
  const leaving = new AbortController();
  let exit: number | undefined;
  const onExit = (status: number): void => {
    exit = status;
    leaving.abort(EXITED);
  };
  const opened = await openSession(document, options, { ...context, onExit });
  const { session } = opened;
  const { secrets } = session.client;
  const { stdout, stderr } = platform;
  const saveInPlace = async ({ runs }: DocumentRun): Promise<readonly string[]> => {
    const target = { output: document.path, files: [document.path] };
    return (await createSaver(document, secrets, target, platform)?.finish(runs)) ?? [];
  };
  try {
    prepareClient(document, session.client);
    const { observer } = options;
    const reporter =
      observer?.createReporter(document, secrets) ??
      new TerminalReporter({
        // With "-o -" the notebook alone goes to standard output.
        stdout: options.output === "-" ? stderr : stdout,
        stderr,
        secrets,
        form: options.form,
      });
    const saver = createSaver(document, secrets, options, platform);
    reporter.documentStarted(document);
    const run = await runDocument(document, session, {
      continues: (failed) => failed === 0 || options.keepGoing,
      reporter,
      signal: AbortSignal.any([interruption.signal, leaving.signal]),
      interrupted: interruption.interrupt,
      breaker,
      keepOutputs: saver !== undefined || observer?.keepOutputs === true,
      stable: options.stable ?? false,
      ...(saver === undefined ? {} : { checkpoint: saver.checkpoint }),
      ...(options.timeout === undefined ? {} : { cellTimeout: options.timeout * 1000 }),
    });
    const remarks = (await saver?.finish(run.runs)) ?? [];
    const isInterrupted = interruption.signal.aborted || exit !== undefined;
    const { failed, givenUp } = run;
    const observed = {
      hasFailed: failed.size + givenUp > 0,
      isInterrupted,
      save: () => saveInPlace(run),
    };
    const summary = (await observer?.documentEnded(document, observed)) ?? [
      summaryOf(document, run),
    ];
    for (const line of [...remarks, ...summary]) stderr.write(`${toVisibleLine(line)}\n`);
    if (interact !== undefined && !isInterrupted) {
      // At a prompt Ctrl-C ends only the running entry.
      interruption.release();
      breaker.configure({});
      await interact(opened, breaker);
    }
    return { run, exit, status: worstStatus(session.client.history) };
  } finally {
    await session.close();
  }
}

function summaryOf({ path }: Document, { cells, failed, notRun, givenUp }: DocumentRun): string {
  const facts = [`${cells} ${cells === 1 ? "cell" : "cells"} run`];
  if (failed.size > 0) facts.push(`${failed.size} failed`);
  if (notRun > 0) facts.push(`${notRun} not run`);
  if (givenUp > 0) facts.push(`${givenUp} ${givenUp === 1 ? "request" : "requests"} given up`);
  return `${path}: ${facts.join(", ")}`;
}
