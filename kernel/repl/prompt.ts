import { toVisibleText } from "../../lib/display/mod.ts";
import {
  historyPath,
  type LoopBreaker,
  type OutputStream,
  type Platform,
} from "../platform/mod.ts";
import { isKeepable, type Session } from "../session/mod.ts";
import { createTerminalPrinter, isAsciiLocale, toAscii } from "../terminal/mod.ts";
import { type Asker, createAsker } from "./asker.ts";
import type { Documents } from "./commands/mod.ts";
import { CommandError, completeEntry, runCommandLine } from "./commands/mod.ts";
import { createShell } from "./create-shell.ts";
import type { Terminal } from "./editor/mod.ts";
import { createEditorPaint, createLineEditor, type LineEditor } from "./editor/mod.ts";
import { commandOfBareWord, isEntryComplete, languageOf, normalizeEntry } from "./entry/mod.ts";
import { createJournal, type History, type Journal, openHistory } from "./journal/mod.ts";
import { createPlainReader } from "./plain-reader.ts";
import { createPager, editExternally } from "./terminal/mod.ts";

const CONTINUATION = "     ... ";

/** What a prompt may be given beside its session. */
export interface PromptOptions {
  readonly documents?: Documents;
  readonly journal?: Journal;
  /** Sets what a session begins with, after it was reset. */
  readonly begin?: () => void;
  /** Ends the session's cells where they compute. */
  readonly breaker: LoopBreaker;
  /** What the session's client asks; the prompt asks in its place. */
  readonly asker?: Asker;
  /** Seconds that a request may take at the beginning; 30 unless given. */
  readonly timeout?: number | undefined;
  /** Aborted when the session is to end, with the exit status as its reason. */
  readonly ending?: AbortSignal;
}

/** The session of a prompt with what its commands change, or the session alone. */
export type Opening = Promise<{ readonly session: Session } & Partial<PromptOptions>>;

/** A prompt that is on the screen already. */
export interface ShownPrompt extends PromptOptions {
  readonly terminal: Terminal;
  /** Whether entries are read line by line, since the cursor cannot be moved. */
  readonly isPlain: boolean;
  readonly prompt: string;
}

/**
 * Reads entries and runs each as a cell or command until the person leaves.
 *
 * Ctrl-C gives up the entry that is being typed, or ends the running one and keeps the session.
 */
export async function runPrompt(
  opening: Opening,
  given: Platform,
  prompt: ShownPrompt,
): Promise<void> {
  const platform = withCharacters(given);
  const { environment, stdout } = platform;
  const shown = { ...prompt, terminal: inCharacters(prompt.terminal, environment) };
  const { terminal, isPlain } = shown;
  let history: History | undefined;
  let session: Session | undefined;
  const ready = opening.then((opened) => {
    session = opened.session;
    return opened;
  });
  // It is awaited where an entry is run; nobody may be there yet when it fails.
  ready.catch(() => undefined);

  const openEditor = async (text: string): Promise<string> => {
    const extension = languageOf(text) === "typescript" && text !== "" ? "ts" : "http";
    return await editExternally(text, extension, environment);
  };
  const isComplete = (text: string): boolean | Promise<boolean> =>
    isEntryComplete(
      text,
      async (code) => (await (await ready).session.isComplete(code)).status !== "incomplete",
    );
  const createReader = isPlain ? createPlainReader : createLineEditor;
  const reader: LineEditor = createReader({
    terminal,
    prompt: shown.prompt,
    continuation: CONTINUATION,
    paint: createEditorPaint(stdout.color),
    color: stdout.color,
    history: () => history?.entries ?? [],
    languageOf,
    isComplete,
    mend: normalizeEntry,
    complete: async (text, position) => {
      const { session: known } = await ready;
      return await completeEntry(text, position, { session: known, directory: platform.directory });
    },
    openEditor,
    onPause: (text) => {
      // Whoever types TypeScript will need the compiler; whoever types a request must not wait for it.
      const isCode = text.trim().length > 2 && languageOf(text) === "typescript";
      if (isCode && !/^[A-Z]*$/.test(text.trim())) void session?.warmUp();
    },
  });
  // Ctrl-C is a key while an entry is typed, and a signal else: where it comes a moment too late for
  // what ran, or while a pager or an editor has the terminal, it must not end the session.
  const unlisten = platform.onInterrupt(reader.cancel);
  try {
    // Before the first key is looked at: it may be one that searches.
    history = await openHistory({
      path: historyPath(environment),
      onTrouble: (message) => reader.printAbovePrompt(`Note: ${toVisibleText(message)}\n`),
    });
    // A session that cannot be opened ends the prompt, whoever is typing there.
    const [opened, first] = await Promise.all([ready, reader.read()]);
    await runEntries(first, { opened, platform, shown, reader, history, openEditor });
    await history.settle();
  } finally {
    unlisten();
  }
}

interface Running {
  readonly opened: Awaited<Opening>;
  readonly platform: Platform;
  readonly shown: ShownPrompt;
  readonly reader: LineEditor;
  readonly history: History;
  openEditor(text: string): Promise<string>;
}

async function runEntries(
  first: string | undefined,
  { opened, platform, shown, reader, history, openEditor }: Running,
): Promise<void> {
  const { session, ...options } = { ...shown, ...opened };
  const { client } = session;
  const { stdout, stderr, environment } = platform;
  const pager = createPager({ terminal: shown.terminal, environment });
  let offered = "";
  let isOver = false;
  const shell = createShell({
    session,
    platform,
    breaker: options.breaker,
    reader,
    journal: options.journal ?? createJournal(),
    begin: options.begin ?? (() => undefined),
    documents: options.documents,
    timeout: options.timeout,
    asker: options.asker ?? createAsker(platform, stdout),
    page: async (text) => {
      if (shown.isPlain) stdout.write(text);
      else await pager.page(text);
    },
    openEditor,
    offer: (text) => {
      offered = text;
    },
    quit: () => {
      isOver = true;
    },
  });

  let entry = first;
  while (entry !== undefined) {
    if (entry.trim() !== "") await runEntry(entry);
    if (isOver || shown.ending?.aborted === true) break;
    const text = offered;
    offered = "";
    entry = await reader.read(text);
  }
  review();

  /** What an entry holds may have become a secret after it was kept. */
  function review(): void {
    const { secrets } = client;
    history.review((text) => isKeepable(text, secrets), secrets.revision);
  }

  async function runEntry(text: string): Promise<void> {
    // What is a secret by now, or is one in this entry, stays out of the file.
    const { secrets } = client;
    secrets.learn({ kind: "source", text }, "person");
    history.add(text.trimEnd(), !isKeepable(text, secrets));
    try {
      const bare = commandOfBareWord(text);
      if (bare !== undefined && !shell.names(text)) await runCommandLine(bare, shell);
      else if (languageOf(text) === "command") await runCommandLine(text, shell);
      else await shell.run(text);
    } catch (error) {
      const errors = createTerminalPrinter(stderr, { secrets });
      if (error instanceof CommandError) errors.line(error.message);
      else errors.value(error instanceof Error ? error : new Error(String(error)));
    }
    review();
  }
}

/** The same platform, writing ASCII alone where the terminal's locale has no more. */
function withCharacters(platform: Platform): Platform {
  const plain = (stream: OutputStream): OutputStream => inCharacters(stream, platform.environment);
  return { ...platform, stdout: plain(platform.stdout), stderr: plain(platform.stderr) };
}

function inCharacters<T extends { write(text: string): void }>(
  stream: T,
  environment: Platform["environment"],
): T {
  if (!isAsciiLocale(environment)) return stream;
  return { ...stream, write: (text: string) => stream.write(toAscii(text)) };
}
