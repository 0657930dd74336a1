import { LoopBreaker, type Platform } from "../platform/mod.ts";
import type { TextSource } from "./entry/mod.ts";
import { createAsker, prompt } from "./open-prompt.ts";
import type { OpenedSession, SessionHooks } from "./open-session.ts";
import { EXIT, type ReplOptions, UsageError } from "./options.ts";
import { openStandardInput, type ScriptText } from "./script-entries.ts";
import type { Documents } from "./shell.ts";

/** What the program passes in, since front ends do not import each other. */
interface ReplServices {
  readonly documents: Documents;
  startDemo(
    options: Pick<ReplOptions, "now">,
  ): Promise<{ readonly url: string; close(): Promise<void> }>;
}

/** What the command is run with. */
interface Invocation {
  readonly options: ReplOptions;
  readonly platform: Platform;
  readonly services: ReplServices;
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
  const run = !hasEntries && platform.stdinIsTerminal ? runPrompt : runTexts;
  try {
    return await run({ options, platform, services });
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    const { toVisibleLine } = await import("../../lib/display/mod.ts");
    platform.stderr.write(`restlab: ${toVisibleLine(error.message)}\n`);
    return EXIT.usage;
  }
}

async function runPrompt(invocation: Invocation): Promise<number> {
  const { options, platform, services } = invocation;
  const { form, checkStatus, timeout } = options;
  if (form !== "shown" || checkStatus) {
    throw new UsageError("Output options need input: write -e TEXT, or send it to standard input");
  }
  const ending = new AbortController();
  const asker = createAsker(platform, platform.stdout);
  const breaker = new LoopBreaker();
  // A prompt has to restore the terminal before it exits.
  const onExit = (status: number): void => ending.abort(status);
  return await withSession(invocation, { onExit, ask: asker.ask, breaker }, async (opening) => {
    const { documents } = services;
    const { signal } = ending;
    await prompt(opening, platform, { documents, asker, breaker, timeout, ending: signal });
    return signal.aborted ? Number(signal.reason) : EXIT.ok;
  });
}

async function runTexts(invocation: Invocation): Promise<number> {
  const { options, platform } = invocation;
  const texts = await textsOf(options, platform);
  if (texts.length === 0) return EXIT.ok;
  // A person has to see the question and be able to answer.
  const canAsk = platform.stdinIsTerminal && platform.stderr.isTerminal;
  const ask = canAsk ? createAsker(platform, platform.stderr).ask : undefined;
  const breaker = new LoopBreaker();
  return await withSession(invocation, { ask, breaker }, async (opening) => {
    const { session } = await opening;
    const { runScript } = await import("./run-script.ts");
    return await runScript(texts, session, platform, { ...options, breaker });
  });
}

/** Opens a session, with the embedded API if it is asked for, and closes both after the action. */
async function withSession(
  { options, platform, services }: Invocation,
  hooks: SessionHooks,
  action: (opening: Promise<OpenedSession>) => Promise<number>,
): Promise<number> {
  let demo: Awaited<ReturnType<ReplServices["startDemo"]>> | undefined;
  let opened: OpenedSession | undefined;
  async function open(): Promise<OpenedSession> {
    const { openSession } = await import("./open-session.ts");
    if (options.demo) demo = await services.startDemo(options);
    opened = await openSession(options, platform, demo?.url, hooks);
    return opened;
  }
  try {
    return await action(open()).finally(() => opened?.close());
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
