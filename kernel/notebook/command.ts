import { dirname, resolve } from "node:path";
import type { Secrets } from "../../lib/mod.ts";
import type { Platform } from "../platform/mod.ts";
import { createSession, parseVariableValue, type Session } from "../session/mod.ts";
import { type Document, DocumentError } from "./document.ts";
import { introduce } from "./introduce.ts";
import { EXIT, type RunOptions } from "./options.ts";
import { checkOutput, outputPath } from "./output-path.ts";
import { readDocument, reasonOf } from "./read.ts";
import { type CellRun, renderIpynb } from "./render-ipynb.ts";
import { type DocumentRun, runDocument } from "./run-document.ts";
import { createTerminalReporter } from "./terminal-reporter.ts";

/**
 * `restlab run`: reads every file first, so that a name spelt wrong sends nothing, then runs them
 * one after the other, each in a session of its own.
 *
 * @returns The exit status, one of {@link EXIT}.
 */
export async function runCommand(options: RunOptions, platform: Platform): Promise<number> {
  const fail = (message: string): number => {
    platform.stderr.write(`restlab: ${message}\n`);
    return EXIT.usage;
  };
  const interruption = new AbortController();
  const release = platform.onInterrupt(() => interruption.abort());
  let demo: { readonly url: string; close(): Promise<void> } | undefined;
  try {
    const documents = await readAll(options, platform);
    if (options.output !== undefined) await checkOutput(options.output, documents);
    if (options.demo) demo = await (await import("../demo/mod.ts")).startDemo({ port: 0 });
    const { signal } = interruption;
    const run: Run = {
      options,
      platform,
      signal,
      interrupted: () => interruption.abort(),
      release,
      base: demo?.url,
    };
    let status: number = EXIT.ok;
    for (const document of documents) {
      const isLast = document === documents.at(-1);
      const ended = await runOne(document, run, isLast ? options.interact : undefined);
      if (ended.failed > 0) status = EXIT.cellFailed;
      if (signal.aborted) return EXIT.interrupted;
      if (ended.exit !== undefined) return ended.exit;
      if (status !== EXIT.ok && !options.keepGoing) break;
    }
    return status;
  } catch (error) {
    if (error instanceof DocumentError) return fail(error.message);
    throw error;
  } finally {
    release();
    await demo?.close();
  }
}

interface Run {
  readonly options: RunOptions;
  readonly platform: Platform;
  readonly signal: AbortSignal;
  /** Told where the runtime ended a computing cell at Ctrl-C by itself. */
  readonly interrupted: () => void;
  /** Gives Ctrl-C back: at a prompt it means something else. */
  readonly release: () => void;
  readonly base: string | undefined;
}

async function readAll(options: RunOptions, platform: Platform): Promise<readonly Document[]> {
  return await Promise.all(options.files.map((path) => readDocument(path, platform)));
}

async function runOne(
  document: Document,
  { options, platform, signal, interrupted, release, base }: Run,
  interact: RunOptions["interact"],
): Promise<DocumentRun & { readonly exit: number | undefined }> {
  const leaving = new AbortController();
  let exit: number | undefined;
  const onExit = (status: number): void => {
    exit = status;
    leaving.abort();
  };
  const session = await openSession(document, options, platform, { base, onExit });
  const { stdout, stderr } = platform;
  try {
    introduce(document, session.client);
    const toStdout = options.output === "-";
    const reporter = createTerminalReporter({
      stdout: toStdout ? stderr : stdout,
      stderr,
      secrets: session.client.secrets,
      brief: options.brief,
    });
    reporter.documentStarted(document);
    const ended = await runDocument(document, session, {
      keepGoing: options.keepGoing,
      reporter,
      signal: AbortSignal.any([signal, leaving.signal]),
      interrupted,
      keepOutputs: options.output !== undefined,
      ...(options.timeout === undefined ? {} : { cellTimeout: options.timeout * 1000 }),
    });
    if (options.output !== undefined) {
      const safe = withoutSecrets(document, session.client.secrets, stderr);
      await save(safe, ended, options, platform);
      warnOfRevealed(document, ended, stderr);
    }
    stderr.write(`${summaryOf(document, ended)}\n`);
    if (interact !== undefined && !signal.aborted && exit === undefined) {
      release();
      await interact(session);
    }
    return { ...ended, exit };
  } finally {
    await session.close();
  }
}

async function openSession(
  document: Document,
  { variables, timeout, environment, seed, ask }: RunOptions,
  platform: Platform,
  { base, onExit }: { base: string | undefined; onExit: (status: number) => void },
): Promise<Session> {
  const session = await createSession({
    platform: besideFile(document.path, platform),
    onExit,
    ...(ask === undefined ? {} : { ask }),
    ...(seed === undefined ? {} : { seed }),
    ...(timeout === undefined ? {} : { timeout: timeout * 1000 }),
  });
  try {
    if (environment !== undefined) await session.client.useEnv(environment);
    if (base !== undefined) session.client.setVar("base", base);
    for (const [name, value] of variables) session.client.setVar(name, parseVariableValue(value));
    return session;
  } catch (error) {
    await session.close();
    // A name that no placeholder could reach, for example, or an environment that no file has.
    throw new DocumentError(`Running "${document.path}" failed: ${(error as Error).message}`);
  }
}

/** Files that a document names are looked for in its own folder, as its editors do. */
function besideFile(path: string, platform: Platform): Platform {
  const directory = resolve(platform.directory, dirname(path));
  return {
    ...platform,
    directory,
    readFile: (name) => platform.readFile(resolve(directory, name)),
    writeFile: (name, text) => platform.writeFile(resolve(directory, name), text),
  };
}

/** A notebook that is written is meant to be shared: what its cells hold of secrets is replaced. */
function withoutSecrets(
  document: Document,
  secrets: Secrets,
  stderr: Platform["stderr"],
): Document {
  const cells = document.cells.map((cell) => ({ ...cell, source: secrets.mask(cell.source) }));
  const changed = cells.filter(({ source }, index) => source !== document.cells[index]?.source);
  if (changed.length > 0) {
    const which =
      changed.length === 1 ? "The source of 1 cell" : `The sources of ${changed.length} cells`;
    stderr.write(
      `${which} held secrets: they are masked in the output; set them with --var or from the environment\n`,
    );
  }
  return { ...document, cells };
}

/** What was revealed is in the output that was written: whoever shares it has to know. */
function warnOfRevealed(
  { path }: Document,
  { runs }: DocumentRun,
  stderr: Platform["stderr"],
): void {
  const isRevealed = ({ outputs }: CellRun): boolean =>
    outputs.some((output) => "metadata" in output && holdsSecrets(output.metadata));
  const counts = [...runs.values()].filter(isRevealed).map(({ count }) => count);
  if (counts.length === 0) return;
  const which = counts.length === 1 ? "cell" : "cells";
  stderr.write(
    `${path}: the output of ${which} ${counts.join(", ")} holds secrets that were revealed; clear it before it is shared\n`,
  );
}

function holdsSecrets(metadata: object): boolean {
  return JSON.stringify(metadata).includes('"holds_secrets":true');
}

async function save(
  document: Document,
  { runs }: DocumentRun,
  { output = "", files }: RunOptions,
  platform: Platform,
): Promise<void> {
  const text = renderIpynb(document, runs);
  if (output === "-") {
    platform.stdout.write(text);
    return;
  }
  const path = outputPath(output, document, files.length);
  try {
    await platform.writeFile(path, text);
  } catch (error) {
    throw new DocumentError(`Writing "${path}" failed: ${reasonOf(error)}`, { cause: error });
  }
}

function summaryOf({ path }: Document, { cells, failed, notRun }: DocumentRun): string {
  const facts = [`${cells} ${cells === 1 ? "cell" : "cells"} run`];
  if (failed > 0) facts.push(`${failed} failed`);
  if (notRun > 0) facts.push(`${notRun} not run`);
  return `${path}: ${facts.join(", ")}`;
}
