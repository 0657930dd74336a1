import { dirname, resolve } from "node:path";
import type { Client, Value } from "../../lib/mod.ts";
import type { Platform } from "../platform/mod.ts";
import { endedBy } from "../session/cell/mod.ts";
import {
  createSession,
  kindOfCell,
  parseVariableValue,
  type Session,
  type SessionOptions,
} from "../session/mod.ts";
import type { CommandContext, DocumentOptions } from "./context.ts";
import { type Document, type DocumentCell, DocumentError } from "./document.ts";
import type { EarlyEnd, RunDocumentOptions } from "./run-cell.ts";
import { type DocumentRun, runDocument } from "./run-document.ts";

interface RunSetup extends SessionSetup, Pick<RunDocumentOptions, "selects"> {}

interface RunContext extends CommandContext {
  readonly end: EarlyEnd;
}

/** What differs from command to command. */
type OwnOptions = Pick<
  RunDocumentOptions,
  "continues" | "retries" | "reporter" | "isParallel" | "keepOutputs" | "stable" | "checkpoint"
>;

/** A document whose session is open. */
export interface RunningDocument extends DocumentSession {
  /** Runs the document. */
  run(options: OwnOptions): Promise<DocumentRun>;
}

/**
 * Opens a session for a document, and closes it when `act` has ended.
 *
 * @throws {DocumentError} The document cannot be run with these options.
 */
export async function runInSession<T>(
  document: Document,
  setup: RunSetup,
  { end, ...context }: RunContext,
  act: (opened: RunningDocument) => Promise<T>,
): Promise<T> {
  const { interruption, breaker } = context;
  const { timeout, selects } = setup;
  const onExit = (status: number): void => end.exit(status);
  const opened = await openSession(document, setup, { ...context, onExit });
  const { session } = opened;
  try {
    prepareClient(document, session.client, (cell) => selects?.(cell) ?? true);
    const run = (options: OwnOptions): Promise<DocumentRun> =>
      runDocument(document, session, {
        ...options,
        ...(selects === undefined ? {} : { selects }),
        signal: end.signal,
        interrupted: interruption.interrupt,
        breaker,
        ...(timeout === undefined ? {} : { cellTimeout: timeout * 1000 }),
      });
    return await act({ ...opened, run });
  } finally {
    await session.close();
  }
}

/** Options of the session of a document. */
interface SessionSetup
  extends Pick<DocumentOptions, "variables" | "environment" | "seed" | "now" | "timeout"> {
  readonly ask?: SessionOptions["ask"];
  /** Further variables, of a row of data. */
  readonly row?: Readonly<Record<string, Value>>;
}

export interface DocumentSession {
  readonly session: Session;
  /** Sets the variables of the command line. */
  setInitialVariables(): void;
}

interface SessionContext
  extends Pick<CommandContext, "platform" | "base" | "breaker" | "recording"> {
  /** Called when a cell calls `process.exit`. */
  readonly onExit: (status: number) => void;
}

/**
 * Opens the session of a document, with its initial variables.
 *
 * @throws {DocumentError} The name of a variable is invalid, or the environment does not exist.
 */
async function openSession(
  document: Document,
  { variables, row = {}, timeout, environment, seed, now, ask }: SessionSetup,
  { platform, base, onExit, breaker, recording }: SessionContext,
): Promise<DocumentSession> {
  const session = await createSession({
    platform: relativeTo(document.path, platform),
    onExit,
    recording,
    scriptEvents: endedBy(breaker.scripts),
    ...(ask === undefined ? {} : { ask }),
    ...(seed === undefined ? {} : { seed }),
    ...(now === undefined ? {} : { now }),
    ...(timeout === undefined ? {} : { timeout: timeout * 1000 }),
  });
  const setInitialVariables = (): void => {
    if (base !== undefined) session.client.setVar("base", base);
    for (const [name, value] of variables) session.client.setVar(name, parseVariableValue(value));
    for (const [name, value] of Object.entries(row)) session.client.setVar(name, value);
  };
  try {
    if (environment !== undefined) await session.client.useEnv(environment);
    setInitialVariables();
    return { session, setInitialVariables };
  } catch (error) {
    await session.close();
    throw new DocumentError(`Running "${document.path}" failed: ${(error as Error).message}`);
  }
}

/** Resolves the files that a document names in its own folder, as editors do. */
function relativeTo(path: string, platform: Platform): Platform {
  const directory = resolve(platform.directory, dirname(path));
  return {
    ...platform,
    directory,
    readFile: (name) => platform.readFile(resolve(directory, name)),
    writeFile: (name, text) => platform.writeFile(resolve(directory, name), text),
  };
}

/**
 * Prepares a client for a document: defines the named requests, which `# @ref` of an earlier cell may
 * name, and checks that the values of prompts are set, since a headless run cannot ask.
 *
 * @param isRun Whether a cell will be run; all by default.
 * @throws {DocumentError} Values of prompts are missing; the message names all of them.
 */
function prepareClient(
  document: Document,
  client: Client,
  isRun: (cell: DocumentCell) => boolean = () => true,
): void {
  const cells = document.cells.filter(({ type }) => type === "code");
  const refers = cells.some(({ source }) => REFERS.test(source));
  // A cell whose script would have set a variable may fail, and a later one uses it.
  const named = cells.filter(
    ({ source }) => (refers && NAMES.test(source)) || SCRIPTS.test(source),
  );
  for (const cell of named) {
    for (const text of requestText(cell))
      attempt(() => client.define(text, { runsScripts: true, firstLine: cell.line }));
  }
  // As one text: a variable line of one cell may be the value of a prompt in the next.
  const run = cells.filter(isRun);
  const needed = run.some(({ source }) => ASKS.test(source))
    ? (attempt(() => client.needs(run.flatMap(requestText).join("\n\n###\n"))) ?? [])
    : [];
  if (needed.length === 0) return;
  const listed = needed.map((name) => `"${name}"`).join(", ");
  const note = needed.includes("confirm") ? '; confirm=yes sends what a "# @note" asks about' : "";
  throw new DocumentError(
    `Running "${document.path}" failed: it asks for ${listed}; give values with --var NAME=VALUE${note}`,
  );
}

// Most documents need neither, and parsing a long one twice takes a noticeable time.
/** Something that may refer to a request by its name. */
const REFERS = /@(?:force-?)?ref\b|\{\{[^{}]*[.[]|\bimport\b|^[ \t]*run[ \t]/im;
const NAMES = /@name\b|^[ \t]*###.*[^#\s]/m;
const SCRIPTS = /^[ \t]*(?:[<>][ \t]*\{%|\{\{[+@#]*\w*[ \t]*$)/m;
const ASKS = /[@$](?:prompt|input|password|note)\b/;

function requestText({ source, line }: DocumentCell): readonly string[] {
  const cell = kindOfCell(source, line !== undefined);
  if (cell.kind !== "request") return [];
  return [cell.text.replace(/^\uFEFF?\s*%%http(?!\S)/, "")];
}

/** Ignores faults: they are reported when the cell is run. */
function attempt<T>(run: () => T): T | undefined {
  try {
    return run();
  } catch {
    return undefined;
  }
}
