import { toVisibleText } from "../../lib/display/mod.ts";
import { readText } from "../../lib/mod.ts";
import { historyPath, type LoopBreaker, type Platform } from "../platform/mod.ts";
import {
  type CommandOptions,
  isKeepable,
  lastRequest,
  type OpenedSession,
  parseVariableValue,
  type Session,
} from "../session/mod.ts";
import { isCommandLine, runCommandLine } from "./commands.ts";
import { completeEntry } from "./complete.ts";
import {
  createEditorPaint,
  LineEditor,
  type LineReader,
  type LineReaderOptions,
  type Terminal,
} from "./editor/mod.ts";
import {
  type AskStatus,
  commandOfBareWord,
  continuesEntry,
  explainLateHeader,
  type Input,
  languageOf,
  nameToExplain,
  readSubmission,
  type Submission,
} from "./entry/mod.ts";
import { explain } from "./help.ts";
import { History } from "./history.ts";
import { createJournal, variableLine } from "./journal.ts";
import type { Asker } from "./open-prompt.ts";
import { editExternally, page } from "./pager.ts";
import { createPlainReader } from "./plain-reader.ts";
import { CommandError, createShell, type Documents, type Shell } from "./shell.ts";
import { UsageError } from "./standard-input.ts";
import { TerminalOutput } from "./terminal-output.ts";

const CONTINUATION = "     ... ";
const HEADERS_ADVICE =
  "press Alt-Enter (or Ctrl-O) after the request line to write headers below it";

/** A session with what its journal needs of the command line. */
export interface PromptSession extends OpenedSession {
  /** The URL of the embedded API, if it was started. */
  readonly base?: string;
  readonly variables?: CommandOptions["variables"];
}

export interface PromptOptions {
  readonly documents: Documents;
  /** Asks the questions of requests; the prompt reads the answers. */
  readonly asker: Asker;
  readonly breaker: LoopBreaker;
  /** The time limit of requests in seconds; 30 by default. */
  readonly timeout?: number;
  /** Aborted when the prompt has to end. */
  readonly ending?: AbortSignal;
}

interface ShownPrompt extends PromptOptions {
  readonly terminal: Terminal;
  /** Whether the terminal itself edits lines, since the cursor cannot be moved. */
  readonly isPlain: boolean;
  readonly prompt: string;
}

/** Runs a prompt that is on the screen already. */
export async function runPrompt(
  opening: Promise<PromptSession>,
  platform: Platform,
  options: ShownPrompt,
): Promise<void> {
  const history = new History({
    path: historyPath(platform.environment),
    onWarning: (message) => reader.printAbovePrompt(`Note: ${toVisibleText(message)}\n`),
  });
  const reader = createReader(opening, platform, options, history);
  // Ctrl-C is a key while an entry is typed, and a signal at all other times, for example after an
  // entry has ended or in a pager: then it must not end the session.
  const unlisten = platform.onInterrupt(() => reader.cancel());
  try {
    // Loaded before the first key is handled, which may start a search.
    await history.load();
    // Both at once: a session that cannot be opened ends the prompt while the person is typing.
    const [opened, first] = await Promise.all([opening, reader.read()]);
    await readEntries(first, opened, platform, options, reader, history);
    history.flush();
  } finally {
    unlisten();
  }
}

function createReader(
  opening: Promise<PromptSession>,
  { stdout, directory, environment }: Platform,
  { terminal, isPlain, prompt }: ShownPrompt,
  history: History,
): LineReader {
  const ask: AskStatus = async (code) => {
    const { session } = await opening;
    return (await session.isComplete(code)).status;
  };
  const options: LineReaderOptions = {
    terminal,
    prompt,
    continuation: CONTINUATION,
    paint: createEditorPaint(stdout.color),
    color: stdout.color,
    history: () => history.entries,
    languageOf,
    submit: (text) => readSubmission(text, ask),
    continues: continuesEntry,
    complete: async (text, position) => {
      const { session } = await opening;
      return await completeEntry(text, position, { session, directory });
    },
    openEditor: (text) => openEditor(text, environment),
    onPause: () => {
      opening.then(({ session }) => session.warmUp()).catch(() => undefined); // The prompt ends with this error, or the next entry reports it.
    },
  };
  return isPlain ? createPlainReader(options) : new LineEditor(options);
}

function openEditor(text: string, environment: Platform["environment"]): Promise<string> {
  const extension = languageOf(text) === "typescript" && text !== "" ? "ts" : "http";
  return editExternally(text, extension, environment);
}

async function readEntries(
  first: Submission | undefined,
  { session, base, variables = [], ...opened }: PromptSession,
  platform: Platform,
  options: ShownPrompt,
  reader: LineReader,
  history: History,
): Promise<void> {
  const { stdout, environment } = platform;
  const { terminal, isPlain, ending, breaker, documents, asker, timeout } = options;
  const show = async (text: string): Promise<void> =>
    isPlain ? stdout.write(text) : await page(text, terminal, environment);
  const hiding = isPlain ? undefined : terminal;
  const output = new TerminalOutput(session, platform, reader, show, hiding);
  // A request may ask while an entry runs.
  asker.useReader(
    (question) => {
      output.endLine();
      return reader.ask(question);
    },
    (message) => output.beginQuestion(message),
  );
  const journal = createJournal(base === undefined ? undefined : { name: "base", value: base });
  const noteVariables = (): void => {
    for (const [name, text] of variables) journal.add(variableLine(name, parseVariableValue(text)));
  };
  noteVariables();
  let initial = "";
  let isOver = false;
  const shell = createShell(session, platform, breaker, output, {
    journal,
    documents,
    ask: asker.ask,
    timeout,
    setInitialVariables: () => {
      opened.setInitialVariables();
      noteVariables();
    },
    openEditor: (text) => openEditor(text, environment),
    prefill: (text) => {
      initial = text;
    },
    quit: () => {
      isOver = true;
    },
  });
  for (let given = first; given !== undefined; given = await reader.read(initial)) {
    initial = "";
    if (given.entries.length > 0) await runEntries(given, shell, history);
    if (isOver || ending?.aborted === true) break;
  }
  reviewHistory(history, session.client);
}

/** Runs the entries of a text that was typed or pasted; stops at the first that fails. */
async function runEntries(
  { text, entries }: Submission,
  shell: Shell,
  history: History,
): Promise<void> {
  const { client, errors } = shell;
  const { secrets } = client;
  secrets.learn({ kind: "source", text }, "person");
  history.add(text.trimEnd(), !isKeepable(text, secrets));
  for (const [index, entry] of entries.entries()) {
    if (await runEntry(entry.input, shell)) continue;
    if (entries.length === 1) break;
    const left = entries.length - index - 1;
    const rest = left === 0 ? "" : `; ${left} after it ${left === 1 ? "was" : "were"} not run`;
    errors.line(`Entry ${index + 1} of ${entries.length} (line ${entry.line}) failed${rest}`);
    break;
  }
  reviewHistory(history, client);
}

/** Runs an entry; returns whether it succeeded. */
async function runEntry(input: Input, shell: Shell): Promise<boolean> {
  const text = input.source;
  try {
    const command = commandOfBareWord(text);
    const asked = nameToExplain(text);
    if (command !== undefined && !shell.declares(text)) await runCommandLine(command, shell);
    else if (asked !== undefined) await explainName(asked, shell);
    else if (input.kind === "command") await runCommandLine(text, shell);
    else {
      const late = explainLateHeader(text, shell.lastCell(), HEADERS_ADVICE);
      if (late !== undefined) throw new CommandError(late);
      const below = commandBelow(input);
      if (below !== undefined && !(await isMeantAsBody(below, shell))) {
        shell.prefill(text.slice(0, text.lastIndexOf(below)));
        await runCommandLine(below, shell);
        return true;
      }
      return await shell.run(input);
    }
    return true;
  } catch (error) {
    if (error instanceof CommandError || error instanceof UsageError)
      shell.errors.line(error.message);
    else shell.errors.value(error instanceof Error ? error : new Error(String(error)));
    return false;
  }
}

/** A command of the prompt in the place of a request's headers or body. */
function commandBelow(input: Input): string | undefined {
  if (input.kind !== "request") return undefined;
  const { first, blank } = lastRequest((input.parsed ?? readText(input.text)).lines);
  const { source } = input;
  const below = source.slice(blank?.next ?? source.trimEnd().lastIndexOf("\n") + 1).trim();
  const isBelow = first !== undefined && source.trim() !== below;
  return isBelow && /^\..*$/.test(below) && isCommandLine(below) ? below : undefined;
}

async function isMeantAsBody(line: string, { ask }: Shell): Promise<boolean> {
  const description = `"${line}" is a command of the prompt. Is it meant as the body? (y/n)`;
  return /^\s*y/i.test((await ask({ name: "body", description, secret: false })) ?? "");
}

async function explainName(name: string, shell: Shell): Promise<void> {
  const about = await explain(name, shell);
  if (about === undefined) throw new CommandError(`There is no "${name}" to explain`);
  await shell.pageText(about);
}

/** A part of an earlier entry may have become a secret. */
function reviewHistory(history: History, { secrets }: Session["client"]): void {
  history.review((text) => isKeepable(text, secrets), secrets.revision);
}
