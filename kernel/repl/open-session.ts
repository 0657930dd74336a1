import { EnvironmentError, type Question } from "../../lib/mod.ts";
import type { LoopBreaker, Platform } from "../platform/mod.ts";
import { endedBy } from "../session/cell/mod.ts";
import {
  createSession,
  openRecording,
  parseVariableValue,
  RecordingError,
  type RecordingOptions,
  type Session,
} from "../session/mod.ts";
import { createJournal, type Journal, variableLine } from "./journal.ts";
import { type ReplOptions, UsageError } from "./options.ts";

/** A session with its initial variables, which its journal contains. */
export interface OpenedSession {
  readonly session: Session;
  readonly journal: Journal;
  /** Sets the variables of the command line. */
  setInitialVariables(): void;
  /**
   * Closes the session, and completes what it records.
   *
   * @throws {UsageError} The recording could not be written.
   */
  close(): Promise<void>;
}

/** What a session asks of its front end. */
export interface SessionHooks {
  /** Called when an entry calls `process.exit`; by default that ends the process. */
  readonly onExit?: ((status: number) => void) | undefined;
  readonly breaker: LoopBreaker;
  /** Asks the person for the values of prompts; without it they have to be variables. */
  readonly ask?: ((question: Question) => Promise<string | undefined>) | undefined;
}

/**
 * Opens a session with a new client.
 *
 * @param base The URL of the embedded API, if it was started.
 * @throws {UsageError} The name of a variable is invalid, or the environment does not exist; a recording
 * cannot be read or written.
 */
export async function openSession(
  options: Pick<
    ReplOptions,
    "timeout" | "variables" | "seed" | "now" | "environment" | keyof RecordingOptions
  >,
  platform: Platform,
  base: string | undefined,
  { onExit, ask, breaker }: SessionHooks,
): Promise<OpenedSession> {
  const recording = await openRecording(options, platform).catch(toUsageError);
  const session = await createSession({
    platform,
    recording,
    scriptEvents: endedBy(breaker.scripts),
    ...(onExit === undefined ? {} : { onExit }),
    ...(ask === undefined ? {} : { ask }),
    ...(options.seed === undefined ? {} : { seed: options.seed }),
    ...(options.now === undefined ? {} : { now: options.now }),
    ...(options.timeout === undefined ? {} : { timeout: options.timeout * 1000 }),
  });
  const { client } = session;
  const demo = base === undefined ? undefined : { name: "base", value: base };
  const journal = createJournal(demo);
  const setInitialVariables = (): void => {
    if (demo !== undefined) client.setVar(demo.name, demo.value);
    for (const [name, text] of options.variables) {
      const value = parseVariableValue(text);
      client.setVar(name, value);
      journal.add(variableLine(name, value));
    }
  };
  try {
    await client.useEnv(options.environment);
    setInitialVariables();
  } catch (error) {
    await close();
    const isUsageError = error instanceof TypeError || error instanceof EnvironmentError;
    throw isUsageError ? new UsageError(error.message) : error;
  }
  return { session, journal, setInitialVariables, close };

  async function close(): Promise<void> {
    await session.close();
    try {
      recording.close();
    } catch (error) {
      toUsageError(error);
    }
  }
}

function toUsageError(error: unknown): never {
  throw error instanceof RecordingError ? new UsageError(error.message) : error;
}
