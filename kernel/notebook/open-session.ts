import { dirname, resolve } from "node:path";
import type { LoopBreaker, Platform } from "../platform/mod.ts";
import {
  createSession,
  endedBy,
  parseVariableValue,
  type Session,
  type SessionOptions,
} from "../session/mod.ts";
import { type Document, DocumentError } from "./document/mod.ts";

/** What of `restlab run` the session of a document is made with. */
export interface SessionSetup {
  readonly ask?: SessionOptions["ask"];
  readonly seed?: string;
  readonly variables: readonly (readonly [name: string, value: string])[];
  readonly environment?: string;
  /** In seconds. */
  readonly timeout?: number;
}

/** The session that a document runs in. */
export interface DocumentSession {
  readonly session: Session;
  /** Sets the variables of the command line. */
  setInitialVariables(): void;
}

/**
 * Opens the session that a document runs in, with its variables set.
 *
 * @param base The address of the embedded API, where it was started.
 * @param onExit Called when a cell calls `process.exit`.
 * @param breaker Ends cells that compute.
 * @throws {DocumentError} A variable or the environment cannot be had.
 */
export async function openSession(
  document: Document,
  { variables, timeout, environment, seed, ask }: SessionSetup,
  platform: Platform,
  {
    base,
    onExit,
    breaker,
  }: {
    readonly base: string | undefined;
    readonly onExit: (status: number) => void;
    readonly breaker: LoopBreaker;
  },
): Promise<DocumentSession> {
  const session = await createSession({
    platform: besideFile(document.path, platform),
    onExit,
    scriptEvents: endedBy(breaker.scripts),
    ...(ask === undefined ? {} : { ask }),
    ...(seed === undefined ? {} : { seed }),
    ...(timeout === undefined ? {} : { timeout: timeout * 1000 }),
  });
  const setInitialVariables = (): void => {
    if (base !== undefined) session.client.setVar("base", base);
    for (const [name, value] of variables) session.client.setVar(name, parseVariableValue(value));
  };
  try {
    if (environment !== undefined) await session.client.useEnv(environment);
    setInitialVariables();
    return { session, setInitialVariables };
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
