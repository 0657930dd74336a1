import { createClient, EnvironmentError, type Question } from "../../lib/mod.ts";
import type { LoopBreaker, Platform } from "../platform/mod.ts";
import {
  clientOptionsOf,
  createSession,
  endedBy,
  parseVariableValue,
  type Session,
} from "../session/mod.ts";
import { createJournal, type Journal } from "./journal/mod.ts";
import { type ReplOptions, UsageError } from "./options.ts";

/** A session as `restlab` opens it: its variables set, what it begins with in its journal. */
export interface OpenedSession {
  readonly session: Session;
  readonly journal: Journal;
  /** Sets the variables anew, with which the command line has told it to begin. */
  begin(): void;
}

/** What a session does through whoever opened it. */
export interface SessionHooks {
  /** Called when an entry calls `process.exit`; it ends the process unless given. */
  readonly onExit?: ((status: number) => void) | undefined;
  /** Ends cells that compute. */
  readonly breaker: LoopBreaker;
  /** Asks the person for a value; without it such values have to be variables. */
  readonly ask?: ((question: Question) => Promise<string | undefined>) | undefined;
}

/**
 * Opens a session on a client of its own.
 *
 * @param base The address of the embedded API, where there is one.
 * @throws {UsageError} A variable has a name that no placeholder could reach, or there is no such
 * environment.
 */
export async function openSession(
  options: Pick<ReplOptions, "timeout" | "variables" | "seed" | "environment">,
  platform: Platform,
  base: string | undefined,
  { onExit, ask, breaker }: SessionHooks,
): Promise<OpenedSession> {
  const client = createClient({
    ...clientOptionsOf(platform),
    ...(options.seed === undefined ? {} : { seed: options.seed }),
    ...(options.timeout === undefined ? {} : { timeout: options.timeout * 1000 }),
    ...(ask === undefined ? {} : { ask }),
  });
  const demo = base === undefined ? undefined : { name: "base", value: base };
  const journal = createJournal(demo);
  const setVariable = (name: string, value: unknown): void => {
    client.setVar(name, value);
    journal.add(`@${name} = ${typeof value === "string" ? value : JSON.stringify(value)}`);
  };
  const begin = (): void => {
    if (demo !== undefined) client.setVar(demo.name, demo.value);
    for (const [name, value] of options.variables) setVariable(name, parseVariableValue(value));
  };
  try {
    await client.useEnv(options.environment);
    begin();
  } catch (error) {
    const isMistake = error instanceof TypeError || error instanceof EnvironmentError;
    throw isMistake ? new UsageError(error.message) : error;
  }
  const session = await createSession({
    platform,
    client,
    scriptEvents: endedBy(breaker.scripts),
    ...(onExit === undefined ? {} : { onExit }),
  });
  return { session, journal, begin };
}
