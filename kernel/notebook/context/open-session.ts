import { dirname, resolve } from "node:path";
import type { Value } from "../../../lib/mod.ts";
import type { Platform } from "../../platform/mod.ts";
import {
  createSession,
  endedBy,
  parseVariableValue,
  type Session,
  type SessionOptions,
} from "../../session/mod.ts";
import { type Document, DocumentError } from "../document/mod.ts";
import type { CommandContext } from "./command-context.ts";
import type { DocumentOptions } from "./document-options.ts";

/** Options of the session of a document. */
export interface SessionSetup
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
export async function openSession(
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
