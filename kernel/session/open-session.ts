import type { Value } from "../../lib/mod.ts";
import { type LoopBreaker, type Platform, SecretPrograms } from "../platform/mod.ts";
import { endedBy } from "./cell/mod.ts";
import { parseVariableValue } from "./client-options.ts";
import { openRecording, type RecordingOptions } from "./recording.ts";
import { createSession, type Session, type SessionOptions } from "./session.ts";

/** What a command line says of its sessions, the same for the prompt and for documents. */
export interface CommandOptions extends RecordingOptions {
  /** Initial variables; JSON values are JSON, anything else is text. */
  readonly variables: readonly (readonly [name: string, value: string])[];
  /** Further ones of a program, whose values are taken as they are. */
  readonly values?: Readonly<Record<string, Value>>;
  /** The environment, from the files in the folder of the session. */
  readonly environment?: string;
  readonly seed?: string;
  /** The clock of generated values, signatures and the embedded API. */
  readonly now?: () => Date;
  /** Whether to start the embedded API on a free port and set `base` to its URL. */
  readonly demo?: boolean;
  /** The time limit of each request, and of each cell of a document, in seconds. */
  readonly timeout?: number;
}

/** A session with its initial variables. */
export interface OpenedSession {
  readonly session: Session;
  /** The names of the variables of the command line. */
  readonly given: ReadonlySet<string>;
  /** Sets the variables of the command line again, also those of the same names that TypeScript cells have declared. */
  setInitialVariables(): void;
}

/** What differs from session to session of a command. */
interface Opening extends Pick<SessionOptions, "onExit" | "ask" | "globals" | "globalTypes"> {
  readonly platform: Platform;
  readonly breaker: LoopBreaker;
  /** Whether environment files are read even if no environment is named, so that their variables are there at once. */
  readonly readsEnvironment?: boolean;
  /** Further variables, of a row of data. */
  readonly row?: Readonly<Record<string, Value>>;
}

/** Opens the sessions of a command, which share the embedded API and a recording. */
export interface SessionOpener {
  /** The URL of the embedded API, if it was started. */
  readonly base: string | undefined;
  /** @throws {Error} The name of a variable is invalid, or the environment does not exist. */
  open(opening: Opening): Promise<OpenedSession>;
  /** Names the variables of the command line, and the columns of its data, that had no effect in any session. */
  remarks(): readonly string[];
  /**
   * Ends the embedded API, and completes what is recorded.
   *
   * @throws {RecordingError} The recording could not be written.
   */
  close(): Promise<void>;
}

/**
 * Starts what the sessions of a command share.
 *
 * @param how Whether a secret that could not be fetched is not asked for again, as where nobody can unlock what keeps it.
 * @throws {RecordingError} A recording cannot be read or written.
 */
export async function createSessionOpener(
  options: CommandOptions,
  platform: Platform,
  { keepsFailures = false }: { readonly keepsFailures?: boolean } = {},
): Promise<SessionOpener> {
  const { variables, values = {}, environment, seed, now, timeout } = options;
  const { isTerminal, write } = platform.stderr;
  const secretPrograms = new SecretPrograms({
    environment: platform.environment,
    onWaiting: (program) => {
      if (isTerminal) write(`\r\u001b[KWaiting for ${program} …\n`);
    },
    keepsFailures,
    isReplay: options.replay !== undefined && options.recordMissing !== true,
  });
  const demo = options.demo === true ? await startDemo(now) : undefined;
  const base = demo?.url;
  const uses = new Uses();
  const recording = await openRecording(options, platform).catch(async (error: unknown) => {
    await demo?.close();
    throw error;
  });
  return {
    base,
    open: async ({ breaker, readsEnvironment = false, row = {}, ...opening }) => {
      const session = await createSession({
        ...opening,
        platform: { ...opening.platform, secretPrograms },
        recording,
        scriptEvents: endedBy(breaker.scripts),
        seed,
        now,
        timeout: timeout === undefined ? undefined : timeout * 1000,
      });
      const { client } = session;
      const initial = new Map<string, { readonly value: Value; readonly option?: string }>();
      if (base !== undefined) initial.set("base", { value: base });
      for (const [name, text] of variables)
        initial.set(name, { value: parseVariableValue(text), option: `--var ${name}` });
      for (const [name, value] of Object.entries(values))
        initial.set(name, { value, option: `The variable "${name}" of vars` });
      for (const [name, value] of Object.entries(row)) {
        const { option } = initial.get(name) ?? {};
        if (option !== undefined) uses.note(option, "replaced by a column");
        initial.set(name, { value, option: `The column "${name}" of --data` });
      }
      const setInitialVariables = (): void => {
        for (const [name, { value, option }] of initial) {
          if (option === undefined) client.setVar(name, value);
          else {
            client.setVar(name, value, { onUse: (use) => uses.note(option, use) });
            // A value that is set again has replaced only itself.
            uses.note(option, "none");
          }
          session.assign(name, () => client.getVar(name));
        }
      };
      try {
        if (environment !== undefined || readsEnvironment) await client.useEnv(environment);
        setInitialVariables();
        const given = new Set(initial.keys());
        return { session, given, setInitialVariables };
      } catch (error) {
        await session.close();
        throw error;
      }
    },
    remarks: () => uses.remarks(),
    close: async () => {
      try {
        recording.close();
      } finally {
        await demo?.close();
      }
    },
  };
}

/** Why an option may have no effect. */
const NO_EFFECT = {
  none: "nothing that ran uses it",
  replaced: "code sets the variable before anything uses it",
  "replaced by a column": "a column of --data has the same name",
} as const;

/** Notes which options have had an effect. */
class Uses {
  readonly #uses = new Map<string, keyof typeof NO_EFFECT | "read">();

  note(option: string, use: keyof typeof NO_EFFECT | "read"): void {
    if (this.#uses.get(option) !== "read") this.#uses.set(option, use);
  }

  remarks(): readonly string[] {
    return [...this.#uses].flatMap(([option, use]) =>
      use === "read" ? [] : [`${option} has no effect: ${NO_EFFECT[use]}`],
    );
  }
}

async function startDemo(
  now: (() => Date) | undefined,
): Promise<{ readonly url: string; close(): Promise<void> }> {
  const { startDemo } = await import("../demo/mod.ts");
  return await startDemo({ port: 0, now });
}
