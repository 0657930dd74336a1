import { toVisibleLine } from "../../lib/display/mod.ts";
import type { Platform } from "../platform/mod.ts";
import { worstStatus } from "../session/mod.ts";
import { type CommandContext, EXIT, type RunOptions, readAll, runInContext } from "./context.ts";
import type { Document } from "./document.ts";
import { findDocuments } from "./find-documents.ts";
import { checkOutput, checkWrittenFiles } from "./output-path.ts";
import { EarlyEnd } from "./run-cell.ts";
import { type DocumentRun, hasFailed } from "./run-document.ts";
import { runInSession } from "./run-in-session.ts";
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
  const { output } = options;
  const { directory } = platform;
  const setup = {
    ...options,
    writesFile: output !== undefined,
    ...(output !== undefined && { saved: `${output} has the outputs of the cells before it` }),
  };
  const prepare = async (): Promise<readonly Document[]> => {
    const { files, record } = options;
    const single = files.length === 1 ? output : undefined;
    checkWrittenFiles([{ option: "--record", path: record }], [...files, single], directory);
    const documents = await readAll(files, platform);
    if (output !== undefined) await checkOutput(output, documents);
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
  const end = new EarlyEnd(context.interruption);
  const runs: DocumentRun[] = [];
  let worst = 0;
  // Asked again after each document: what one did not await may fail later.
  const hasAnyFailed = (): boolean => runs.some(hasFailed);
  for (const document of documents) {
    const isLast = document === documents.at(-1);
    const interact = isLast ? options.interact : undefined;
    const { run, status } = await runOne(document, options, { ...context, end }, interact);
    runs.push(run);
    worst = Math.max(worst, status);
    if (end.status !== undefined) return end.status;
    if (hasAnyFailed() && !options.keepGoing) break;
  }
  if (hasAnyFailed()) return EXIT.cellFailed;
  return options.checkStatus ? worst : EXIT.ok;
}

interface OneRun {
  readonly run: DocumentRun;
  /** The exit status for the worst status of its responses. */
  readonly status: number;
}

async function runOne(
  document: Document,
  options: RunOptions,
  context: CommandContext & { readonly end: EarlyEnd },
  interact: RunOptions["interact"],
): Promise<OneRun> {
  const { platform, interruption, breaker, end } = context;
  const { stdout, stderr } = platform;
  return await runInSession(document, options, context, async (opened) => {
    const { client } = opened.session;
    const { secrets } = client;
    const reporter = new TerminalReporter({
      // With "-o -" the notebook alone goes to standard output.
      stdout: options.output === "-" ? stderr : stdout,
      stderr,
      secrets,
      form: options.form,
    });
    const saver = createSaver(document, secrets, options, platform);
    reporter.documentStarted(document);
    const run = await opened.run({
      continues: (failed) => failed === 0 || options.keepGoing,
      reporter,
      keepOutputs: saver !== undefined,
      stable: options.stable ?? false,
      ...(saver === undefined ? {} : { checkpoint: saver.checkpoint }),
    });
    const remarks = (await saver?.finish(run.runs)) ?? [];
    for (const line of [...remarks, summaryOf(document, run)]) {
      stderr.write(`${toVisibleLine(line)}\n`);
    }
    if (interact !== undefined && !end.signal.aborted) {
      // At a prompt Ctrl-C ends only the running entry.
      interruption.release();
      breaker.configure({});
      await interact(opened, breaker);
    }
    return { run, status: worstStatus(client.history) };
  });
}

function summaryOf({ path }: Document, { cells, failed, notRun, givenUp }: DocumentRun): string {
  const facts = [`${cells} ${cells === 1 ? "cell" : "cells"} run`];
  if (failed.size > 0) facts.push(`${failed.size} failed`);
  if (notRun > 0) facts.push(`${notRun} not run`);
  if (givenUp > 0) facts.push(`${givenUp} ${givenUp === 1 ? "request" : "requests"} given up`);
  return `${path}: ${facts.join(", ")}`;
}
