import { toVisibleText } from "../../lib/display/mod.ts";
import {
  historyPath,
  type LoopBreaker,
  type OutputStream,
  type Platform,
} from "../platform/mod.ts";
import type { Cell, Session } from "../session/mod.ts";
import { createTerminalPrinter, isAsciiLocale, toAscii } from "../terminal/mod.ts";
import { completeEntry } from "./complete.ts";
import {
  createEditorPaint,
  highlight,
  LineEditor,
  type LineReader,
  type LineReaderOptions,
  paintText,
  type Terminal,
} from "./editor/mod.ts";
import {
  type AskStatus,
  continuesEntry,
  declaresBareWord,
  languageOf,
  readSubmission,
  type Submission,
} from "./entry/mod.ts";
import { History } from "./history.ts";
import { createJournal, type Journal } from "./journal.ts";
import type { Asker } from "./open-prompt.ts";
import { createPager, editExternally } from "./pager.ts";
import { createPlainReader } from "./plain-reader.ts";
import { reviewHistory, runEntries } from "./run-entries.ts";
import { Runner } from "./runner.ts";
import type { Documents, Shell } from "./shell.ts";

const CONTINUATION = "     ... ";

export interface PromptOptions {
  readonly documents: Documents;
  /** Asks the questions of requests; the prompt reads the answers. */
  readonly asker: Asker;
  readonly breaker: LoopBreaker;
  /** The time limit of requests in seconds; 30 by default. */
  readonly timeout?: number | undefined;
  /** Aborted when the prompt has to end. */
  readonly ending?: AbortSignal;
}

export type Opening = Promise<{
  readonly session: Session;
  readonly journal?: Journal;
  /** Sets the variables of the command line. */
  setInitialVariables(): void;
}>;

interface ShownPrompt extends PromptOptions {
  readonly terminal: Terminal;
  /** Whether the terminal itself edits lines, since the cursor cannot be moved. */
  readonly isPlain: boolean;
  readonly prompt: string;
}

/** What reads entries and what runs them. */
interface Prompt {
  readonly platform: Platform;
  readonly options: ShownPrompt;
  readonly reader: LineReader;
  readonly history: History;
}

/** Runs a prompt that is on the screen already. */
export async function runPrompt(
  opening: Opening,
  given: Platform,
  options: ShownPrompt,
): Promise<void> {
  const platform = withLocaleOutput(given);
  const terminal = toLocaleOutput(options.terminal, platform.environment);
  const history = new History({
    path: historyPath(platform.environment),
    warn: (message) => reader.printAbovePrompt(`Note: ${toVisibleText(message)}\n`),
  });
  const reader = createReader(opening, platform, { ...options, terminal }, history);
  // Ctrl-C is a key while an entry is typed, and a signal at all other times, for example after an
  // entry has ended or in a pager: then it must not end the session.
  const unlisten = platform.onInterrupt(() => reader.cancel());
  try {
    // Loaded before the first key is handled, which may start a search.
    await history.load();
    // Both at once: a session that cannot be opened ends the prompt while the person is typing.
    const [opened, first] = await Promise.all([opening, reader.read()]);
    const prompt = { platform, options: { ...options, terminal }, reader, history };
    await readEntries(first, await opened, prompt);
    await history.flush();
  } finally {
    unlisten();
  }
}

function createReader(
  opening: Opening,
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
  { session, journal = createJournal(), setInitialVariables }: Awaited<Opening>,
  { platform, options, reader, history }: Prompt,
): Promise<void> {
  const { client } = session;
  const { stdout, environment } = platform;
  const { terminal, isPlain, ending, breaker, documents, asker, timeout } = options;
  const pager = createPager({ terminal, environment });
  let initial = "";
  let isOver = false;
  const shell = createShell({
    session,
    platform,
    breaker,
    reader,
    journal,
    setInitialVariables,
    documents,
    asker,
    timeout,
    page: async (text) => (isPlain ? stdout.write(text) : await pager.page(text)),
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
  reviewHistory(history, client);
}

/** Writes only ASCII if the locale has no Unicode. */
function withLocaleOutput(platform: Platform): Platform {
  const convert = (stream: OutputStream): OutputStream =>
    toLocaleOutput(stream, platform.environment);
  return { ...platform, stdout: convert(platform.stdout), stderr: convert(platform.stderr) };
}

function toLocaleOutput<T extends { write(text: string): void }>(
  stream: T,
  environment: Platform["environment"],
): T {
  if (!isAsciiLocale(environment)) return stream;
  return { ...stream, write: (text: string) => stream.write(toAscii(text)) };
}

interface ShellParts
  extends Pick<
    Shell,
    "journal" | "setInitialVariables" | "documents" | "openEditor" | "prefill" | "quit"
  > {
  readonly session: Session;
  readonly platform: Platform;
  readonly breaker: LoopBreaker;
  readonly reader: LineReader;
  readonly asker: Asker;
  /** The time limit of requests in seconds; 30 by default. */
  readonly timeout: number | undefined;
  /** Shows a text that may be longer than the screen. */
  page(text: string): Promise<void>;
}

const DEFAULT_TIMEOUT = 30;

/** Creates the shell that runs entries and that commands use. */
function createShell(parts: ShellParts): Shell {
  const { session, platform, breaker, reader, asker, timeout, page, ...shared } = parts;
  const { client, settings } = session;
  const { secrets } = client;
  const { stdout, stderr } = platform;
  const paint = createEditorPaint(stdout.color);
  const printer = createTerminalPrinter(stdout, { secrets });
  const runner = new Runner({
    session,
    platform,
    breaker,
    printer,
    errors: createTerminalPrinter(stderr, { secrets }),
    printAbovePrompt: (text) => reader.printAbovePrompt(text),
    page,
  });
  // A request may ask while an entry runs.
  asker.useReader((question) => runner.withTerminal(() => reader.ask(question)));
  let lastCell: Cell | undefined;
  let code = "";
  return {
    ...shared,
    session,
    client,
    platform,
    ask: asker.ask,
    timeout: (timeout ?? DEFAULT_TIMEOUT) * 1000,
    lastCell: () => lastCell,
    declares: (word) => declaresBareWord(code, word),
    print: (text) => printer.line(text),
    page: async (print) => {
      let text = "";
      const write = (piece: string): void => {
        text += piece;
      };
      print(createTerminalPrinter({ ...stdout, write }, { headers: "listed", secrets }));
      await page(text);
    },
    pageText: async (text, language) => {
      const visible = toVisibleText(secrets.mask(text));
      const stretches = language === undefined || !stdout.color ? [] : highlight(visible, language);
      await page(`${paintText(visible, stretches, paint).replace(/\n$/, "")}\n`);
    },
    show: (exchange) => runner.show(exchange),
    run: async (cell) => {
      lastCell = cell;
      const { kind, source } = cell;
      // A script of the entry may change them.
      const headers = new Map(settings.headers);
      const isOk = await runner.run(cell);
      if (kind === "typescript") code += `${source}\n`;
      if (isOk) parts.journal.add(source, headers);
      return isOk;
    },
    withProgress: (label, action) => runner.withProgress(label, action),
    clearScreen: () => stdout.write("\u001b[H\u001b[2J"),
  };
}
