import type { Document } from "../document/mod.ts";
import {
  type DocumentRun,
  type EarlyEnd,
  type RunDocumentOptions,
  runDocument,
} from "../run/mod.ts";
import type { CommandContext } from "./command-context.ts";
import { type DocumentSession, openSession, type SessionSetup } from "./open-session.ts";
import { prepareClient } from "./prepare-client.ts";

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
