import { LoopBreaker, type Platform } from "../platform/mod.ts";
import type { CommandOptions, OpenedSession, SessionOpener } from "../session/mod.ts";
import { type Asker, createAsker, prompt } from "./open-prompt.ts";
import type { PromptSession } from "./prompt.ts";
import type { Documents } from "./shell.ts";
import { readTexts, UsageError } from "./standard-input.ts";
import type { Form, Pretty } from "./write-result.ts";

/** The words of a request on the command line. */
export interface RequestWords {
  /** `request`: a method and a URL with options of curl. Others: the words after this one. */
  readonly kind: "request" | "http" | "https" | "curl";
  readonly words: readonly string[];
}

/** The options of `restlab` without a command. */
export interface ReplOptions extends CommandOptions {
  /** A request on the command line, which precedes the texts of `-e`. */
  readonly request?: RequestWords;
  /** The texts of `-e`. Without them the prompt opens, or standard input is read. */
  readonly entries: readonly string[];
  readonly form: Form;
  /** By default `all` at a terminal and `none` elsewhere. */
  readonly pretty?: Pretty;
  /** Whether to write what was sent and how, to standard error. */
  readonly verbose: boolean;
  /** Whether a status of 3xx, 4xx or 5xx makes the exit status 3, 4 or 5. */
  readonly checkStatus: boolean;
}

/** The exit statuses of `restlab` without a command; 3, 4 and 5 are those of HTTPie. */
const EXIT = { ok: 0, usage: 2 } as const;

/**
 * `restlab` without a command: runs the texts of `-e`, else standard input if it is not a terminal,
 * else a prompt.
 *
 * @param documents Reads and writes files with cells: front ends do not import each other.
 * @returns The exit status.
 */
export async function replCommand(
  options: ReplOptions,
  platform: Platform,
  documents: Documents,
): Promise<number> {
  const hasEntries = options.entries.length > 0 || options.request !== undefined;
  try {
    return !hasEntries && platform.stdinIsTerminal
      ? await runPrompt(options, platform, documents)
      : await runTexts(options, platform);
  } catch (error) {
    if (!isUsageError(error)) throw error;
    const { toVisibleLine } = await import("../../lib/display/mod.ts");
    platform.stderr.write(`restlab: ${toVisibleLine(error.message)}\n`);
    return EXIT.usage;
  }
}

/** By their names: their classes are loaded late. */
function isUsageError(error: unknown): error is Error {
  const names = ["UsageError", "RecordingError", "EnvironmentError"];
  return error instanceof Error && names.includes(error.name);
}

async function runPrompt(
  options: ReplOptions,
  platform: Platform,
  documents: Documents,
): Promise<number> {
  const { form, checkStatus, timeout } = options;
  if (form !== "shown" || checkStatus) {
    throw new UsageError("Output options need input: write -e TEXT, or send it to standard input");
  }
  const ending = new AbortController();
  const asker = createAsker(platform, platform.stdout);
  const breaker = new LoopBreaker();
  // A prompt has to restore the terminal before it exits.
  const onExit = (status: number): void => ending.abort(status);
  const hooks = { onExit, asker, breaker };
  return await withSession(options, platform, hooks, async (opening) => {
    const { signal } = ending;
    await prompt(opening, platform, { documents, asker, breaker, timeout, ending: signal });
    return signal.aborted ? Number(signal.reason) : EXIT.ok;
  });
}

async function runTexts(options: ReplOptions, platform: Platform): Promise<number> {
  const texts = await readTexts(options, platform);
  if (texts.length === 0) return EXIT.ok;
  // A person has to see the question and be able to answer.
  const canAsk = platform.stdinIsTerminal && platform.stderr.isTerminal;
  const asker = canAsk ? createAsker(platform, platform.stderr) : undefined;
  const breaker = new LoopBreaker({ endsCallbacks: true });
  return await withSession(options, platform, { asker, breaker }, async (opening) => {
    const { session } = await opening;
    const { runScript } = await import("./script.ts");
    return await runScript(texts, session, platform, breaker, options);
  });
}

/** What a session asks of its front end. */
interface SessionHooks {
  /** Called when an entry calls `process.exit`; by default that ends the process. */
  readonly onExit?: (status: number) => void;
  readonly breaker: LoopBreaker;
  /** Asks the person for the values of prompts; without it they have to be variables. */
  readonly asker?: Asker | undefined;
}

/** Opens a session, with what it needs, and closes all of it after the action. */
async function withSession(
  options: ReplOptions,
  platform: Platform,
  { onExit, asker, breaker }: SessionHooks,
  action: (opening: Promise<PromptSession>) => Promise<number>,
): Promise<number> {
  let sessions: SessionOpener | undefined;
  let opened: OpenedSession | undefined;
  async function open(): Promise<PromptSession> {
    const { createSessionOpener } = await import("../session/mod.ts");
    sessions = await createSessionOpener(options, platform);
    try {
      const asking = asker && {
        ask: asker.ask,
        ...(await import("./cell-questions.ts")).createCellQuestions(asker, breaker),
      };
      opened = await sessions.open({
        onExit,
        breaker,
        ...asking,
        platform,
        readsEnvironment: true,
      });
    } catch (error) {
      // The name of a variable is invalid.
      throw error instanceof TypeError ? new UsageError(error.message) : error;
    }
    return { ...opened, base: sessions.base, variables: options.variables };
  }
  try {
    return await action(open());
  } finally {
    await opened?.session.close();
    await sessions?.close();
  }
}
