import { LoopBreaker, type Platform } from "../platform/mod.ts";
import { createAsker } from "./asker.ts";
import type { Documents } from "./commands/mod.ts";
import type { TextSource } from "./entry/mod.ts";
import { prompt } from "./open-prompt.ts";
import type { OpenedSession } from "./open-session.ts";
import { EXIT, type ReplOptions, UsageError } from "./options.ts";
import type { ScriptText } from "./script-entries.ts";
import { openStandardInput, StandardInputError } from "./standard-input.ts";

/** What the program passes in, since front ends do not import each other. */
interface ReplServices {
  readonly documents: Documents;
  startDemo(
    options: Pick<ReplOptions, "now">,
  ): Promise<{ readonly url: string; close(): Promise<void> }>;
}

/**
 * `restlab` without a command: runs the texts of `-e`, else standard input if it is not a terminal,
 * else a prompt.
 *
 * @returns The exit status.
 */
export async function replCommand(
  options: ReplOptions,
  platform: Platform,
  services: ReplServices,
): Promise<number> {
  const hasEntries = options.entries.length > 0 || options.request !== undefined;
  const isPrompt = !hasEntries && platform.stdinIsTerminal;
  if (isPrompt && (options.form !== "shown" || options.checkStatus)) {
    return await fail(
      platform,
      "Output options need input: write -e TEXT, or send it to standard input",
    );
  }
  let texts: readonly ScriptText[];
  try {
    texts = isPrompt ? [] : await textsOf(options, platform);
  } catch (error) {
    const isExpected = error instanceof StandardInputError || error instanceof UsageError;
    if (isExpected) return await fail(platform, error.message);
    throw error;
  }
  if (!isPrompt && texts.length === 0) return EXIT.ok;
  const ending = new AbortController();
  // A person has to see the question and be able to answer.
  const canAsk = platform.stdinIsTerminal && (isPrompt || platform.stderr.isTerminal);
  const asker = createAsker(platform, isPrompt ? platform.stdout : platform.stderr);
  const breaker = new LoopBreaker();
  let demo: Awaited<ReturnType<ReplServices["startDemo"]>> | undefined;
  let opened: OpenedSession | undefined;

  async function open(): Promise<OpenedSession> {
    const { openSession } = await import("./open-session.ts");
    if (options.demo) demo = await services.startDemo(options);
    // A prompt has to restore the terminal before it exits.
    const onExit = isPrompt ? (status: number): void => ending.abort(status) : undefined;
    const ask = canAsk ? asker.ask : undefined;
    opened = await openSession(options, platform, demo?.url, { onExit, ask, breaker });
    return opened;
  }

  async function run(): Promise<number> {
    if (isPrompt) {
      const { documents } = services;
      const { timeout } = options;
      const { signal } = ending;
      await prompt(open(), platform, { documents, asker, breaker, timeout, ending: signal });
      return ending.signal.aborted ? Number(ending.signal.reason) : EXIT.ok;
    }
    const { session } = await open();
    const { runScript } = await import("./run-script.ts");
    return await runScript(texts, session, platform, { ...options, breaker });
  }

  try {
    return await run().finally(() => opened?.close());
  } catch (error) {
    const isExpected = error instanceof StandardInputError || error instanceof UsageError;
    if (isExpected) return await fail(platform, error.message);
    throw error;
  } finally {
    await demo?.close();
  }
}

/** The request of the command line and the texts of `-e`, else standard input; those that are blank are left out. */
async function textsOf(
  { request, entries }: ReplOptions,
  platform: Platform,
): Promise<readonly ScriptText[]> {
  const note = (message: string): void => platform.stderr.write(`restlab: ${message}\n`);
  if (request === undefined && entries.length === 0) {
    const source = await pastBlanks(openStandardInput(note));
    return source === undefined ? [] : [{ source }];
  }
  const texts = entries
    .map((text, index) => ({
      text,
      source: sourceOf(text),
      ...(entries.length > 1 && { label: `-e ${index + 1}` }),
    }))
    .filter(({ text }) => text.trim() !== "");
  if (request === undefined) return texts;
  // Loaded late: most command lines have no request.
  const { requestText } = await import("./request-text.ts");
  return [
    { source: sourceOf(await requestText(request, platform, note)), isWhole: true },
    ...texts,
  ];
}

function sourceOf(...pieces: string[]): TextSource {
  return async () => pieces.shift();
}

/** Waits for a text that is not blank, before anything is loaded. */
async function pastBlanks(source: TextSource): Promise<TextSource | undefined> {
  let begun = "";
  while (begun.trim() === "") {
    const piece = await source();
    if (piece === undefined) return undefined;
    begun += piece;
  }
  const first = sourceOf(begun);
  return async () => (await first()) ?? (await source());
}

async function fail({ stderr }: Platform, message: string): Promise<number> {
  const { toVisibleLine } = await import("../../lib/display/mod.ts");
  stderr.write(`restlab: ${toVisibleLine(message)}\n`);
  return EXIT.usage;
}
