import { EnvironmentError } from "../../lib/mod.ts";
import type { Platform } from "../platform/mod.ts";
import { clientOptionsOf, createSession, type Session } from "../session/mod.ts";
import type { Documents } from "./documents.ts";
import { createJournal } from "./journal.ts";
import { EXIT, type ReplOptions } from "./options.ts";
import { prompt } from "./prompt.ts";
import { runScript } from "./run-script.ts";
import { createSettledClient, type Settings } from "./settings.ts";
import { readStandardInput, StandardInputError } from "./standard-input.ts";

/** What the prompt is given by whoever puts the program together. */
export interface ReplServices {
  readonly documents: Documents;
  startDemo(): Promise<{ readonly url: string; close(): Promise<void> }>;
}

/**
 * `restlab` without a command: the texts of `-e`, else standard input where it is no terminal, else
 * a prompt.
 *
 * @returns The exit status.
 */
export async function replCommand(
  options: ReplOptions,
  platform: Platform,
  services: ReplServices,
): Promise<number> {
  const isPrompt = options.entries.length === 0 && platform.stdinIsTerminal;
  const fail = (message: string): number => {
    platform.stderr.write(`restlab: ${message}\n`);
    return EXIT.usage;
  };
  if (isPrompt && (options.form !== "shown" || options.checkStatus)) {
    return fail(
      "Options about the output need a text: write -e TEXT, or send it to standard input",
    );
  }
  let entries = options.entries;
  if (!isPrompt && entries.length === 0) {
    try {
      entries = [await readStandardInput()];
    } catch (error) {
      if (error instanceof StandardInputError) return fail(error.message);
      throw error;
    }
    if (entries.every((entry) => entry.trim() === "")) return EXIT.ok;
  }
  const journal = createJournal();
  const ending = new AbortController();
  let demo: Awaited<ReturnType<ReplServices["startDemo"]>> | undefined;
  let session: Session | undefined;

  async function open(): Promise<{ session: Session; settings: Settings }> {
    const { client, settings } = createSettledClient({
      ...clientOptionsOf(platform),
      ...(options.seed === undefined ? {} : { seed: options.seed }),
      ...(options.timeout === undefined ? {} : { timeout: options.timeout * 1000 }),
    });
    const opened = await createSession({
      platform,
      client,
      // A script that exits does so at once; a prompt leaves its terminal tidy first.
      ...(isPrompt ? { onExit: (status: number) => ending.abort(status) } : {}),
    });
    session = opened;
    await client.useEnv(options.environment);
    if (options.demo) demo = await services.startDemo();
    if (demo !== undefined) setVariable("base", demo.url);
    for (const [name, value] of options.variables) setVariable(name, parseValue(value));
    return { session: opened, settings };

    function setVariable(name: string, value: unknown): void {
      client.setVar(name, value);
      journal.add(`@${name} = ${typeof value === "string" ? value : JSON.stringify(value)}`);
    }
  }

  try {
    const { session: opened, settings } = await open();
    if (!isPrompt) return await runScript(entries, opened, platform, options);
    const { documents } = services;
    await prompt(opened, platform, { settings, documents, journal, ending: ending.signal });
    return ending.signal.aborted ? Number(ending.signal.reason) : EXIT.ok;
  } catch (error) {
    // A name that no placeholder could reach, for example.
    const isMistake = error instanceof TypeError || error instanceof EnvironmentError;
    if (isMistake && session !== undefined) return fail(error.message);
    throw error;
  } finally {
    await session?.close();
    await demo?.close();
  }
}

function parseValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text; // Not JSON is not a mistake here: `--var name=Ada` means the text.
  }
}
