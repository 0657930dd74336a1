import { toVisibleLine } from "../../lib/display/mod.ts";
import type { Platform } from "../platform/mod.ts";
import type { Document } from "./document.ts";
import { findDocuments } from "./find-documents.ts";
import { withDocument } from "./open-document.ts";
import { readDocuments } from "./read-document.ts";
import { checkWrittenFiles } from "./reports.ts";
import { EXIT, type Run, type RunOptions, runCommandOn } from "./run.ts";
import { type DocumentRun, hasFailed } from "./run-document.ts";
import { checkOutput, outputPath, Saver } from "./save.ts";
import { TerminalReporter } from "./terminal-reporter.ts";

/**
 * `restlab run`: reads all files first, so that a wrong name sends nothing, then runs them in order,
 * each in a session of its own.
 *
 * @returns The exit status, one of {@link EXIT}, or with `--check-status` 3, 4 or 5.
 */
export async function runCommand(options: RunOptions, platform: Platform): Promise<number> {
  const { output, record } = options;
  const prepare = async (): Promise<readonly Document[]> => {
    const files = await findDocuments(options.files);
    const single = files.length === 1 ? output : undefined;
    const written = [{ option: "--record", path: record }];
    checkWrittenFiles(written, [...files, single], platform.directory);
    const documents = await readDocuments(files, platform);
    if (output !== undefined) await checkOutput(output, documents);
    return documents;
  };
  return await runCommandOn(options, platform, prepare, runAll);
}

async function runAll(documents: readonly Document[], run: Run): Promise<number> {
  const { keepGoing = false, checkStatus = false } = run.options;
  const done: OneRun[] = [];
  // Asked again after each document: what one did not await may fail later.
  const hasAnyFailed = (): boolean => done.some((one) => hasFailed(one.run));
  for (const document of documents) {
    done.push(await runOne(document, documents, run));
    if (run.end.status !== undefined) return run.end.status;
    if (hasAnyFailed() && !keepGoing) break;
  }
  if (hasAnyFailed()) return EXIT.cellFailed;
  return checkStatus ? Math.max(0, ...done.map(({ status }) => status)) : EXIT.ok;
}

interface OneRun {
  readonly run: DocumentRun;
  /** The exit status for the worst status of its responses. */
  readonly status: number;
}

async function runOne(
  document: Document,
  documents: readonly Document[],
  command: Run,
): Promise<OneRun> {
  const { platform } = command;
  const { output, form = "shown", keepGoing = false, interact } = command.options;
  const { stdout, stderr } = platform;
  return await withDocument({ document }, command, async (opened) => {
    const { secrets } = opened.session.client;
    const reporter = new TerminalReporter({
      // With "-o -" the notebook alone goes to standard output.
      stdout: output === "-" ? stderr : stdout,
      stderr,
      secrets,
      form,
    });
    const saver =
      output === undefined
        ? undefined
        : new Saver(document, outputPath(output, document, documents.length), secrets, platform);
    reporter.documentStarted(document);
    const running = opened.run({
      continues: (failed) => failed === 0 || keepGoing,
      reporter,
      keepOutputs: saver !== undefined,
      checkpoint: (runs) => saver?.checkpoint(runs),
    });
    const run = await running.finally(() => reporter.stop());
    const remarks = (await saver?.save(run.runs)) ?? [];
    for (const line of [...remarks, summaryOf(document, run)]) {
      stderr.write(`${toVisibleLine(line)}\n`);
    }
    if (interact !== undefined && document === documents.at(-1) && !command.end.signal.aborted) {
      // At a prompt Ctrl-C ends only the running entry.
      command.end.release();
      command.end.breaker.configure({});
      await interact(opened, command.end.breaker);
    }
    return { run, status: opened.session.worstStatus };
  });
}

function summaryOf({ path }: Document, { cells, failed, notRun, givenUp }: DocumentRun): string {
  const facts = [`${cells} ${cells === 1 ? "cell" : "cells"} run`];
  if (failed.size > 0) facts.push(`${failed.size} failed`);
  if (notRun > 0) facts.push(`${notRun} not run`);
  if (givenUp > 0) facts.push(`${givenUp} ${givenUp === 1 ? "request" : "requests"} given up`);
  return `${path}: ${facts.join(", ")}`;
}
