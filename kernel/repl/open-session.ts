import { EnvironmentError, type Question, renderJson } from "../../lib/mod.ts";
import type { LoopBreaker, Platform } from "../platform/mod.ts";
import { createSession, endedBy, parseVariableValue, type Session } from "../session/mod.ts";
import { createJournal, type Journal } from "./journal/mod.ts";
import { type ReplOptions, UsageError } from "./options.ts";

/** A session with its initial variables, which its journal contains. */
export interface OpenedSession {
  readonly session: Session;
  readonly journal: Journal;
  /** Sets the variables of the command line. */
  setInitialVariables(): void;
}

interface SessionHooks {
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
 * @throws {UsageError} The name of a variable is invalid, or the environment does not exist.
 */
export async function openSession(
  options: Pick<ReplOptions, "timeout" | "variables" | "seed" | "environment">,
  platform: Platform,
  base: string | undefined,
  { onExit, ask, breaker }: SessionHooks,
): Promise<OpenedSession> {
  const session = await createSession({
    platform,
    scriptEvents: endedBy(breaker.scripts),
    ...(onExit === undefined ? {} : { onExit }),
    ...(ask === undefined ? {} : { ask }),
    ...(options.seed === undefined ? {} : { seed: options.seed }),
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
      journal.add(`@${name} = ${typeof value === "string" ? value : renderJson(value)}`);
    }
  };
  try {
    await client.useEnv(options.environment);
    setInitialVariables();
  } catch (error) {
    await session.close();
    const isUsageError = error instanceof TypeError || error instanceof EnvironmentError;
    throw isUsageError ? new UsageError(error.message) : error;
  }
  return { session, journal, setInitialVariables };
}
