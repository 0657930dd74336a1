import {
  HttpieError,
  httpieToCurl,
  quoteWord,
  splitWords,
  takesNextWord,
  writePiped,
} from "../../lib/curl/mod.ts";
import { escapeBraces } from "../../lib/interpolation/mod.ts";
import { parseRequests, RequestSyntaxError, readText } from "../../lib/mod.ts";
import { completeUrl, startsItem } from "../../lib/request/mod.ts";
import type { Platform } from "../platform/mod.ts";
import { type Cell, kindOfCell } from "../session/mod.ts";
import type { RequestWords } from "./command.ts";
import type { Input } from "./entry/mod.ts";
import { readStandardInput, UsageError } from "./standard-input.ts";

interface Files extends Pick<Platform, "readFile"> {
  /** Receives a note if standard input is waited for. */
  readonly note: (message: string) => void;
  /** Receives a body that no word can have, for the option with `@-`. */
  readonly pipe: (body: string) => void;
}

/**
 * Converts a request of the command line to an entry: a curl command, whatever form the request has.
 *
 * @throws {UsageError} An option is unknown, or a file cannot be read.
 */
export async function requestText(
  { kind, words }: RequestWords,
  { readFile }: Pick<Platform, "readFile">,
  note: (message: string) => void,
): Promise<string> {
  let piped = "";
  const pipe = (body: string): void => {
    piped = writePiped(body);
  };
  const options = await toCurl[kind](words, { readFile, note, pipe });
  // -s has no effect, but with an option the text is a curl command for certain.
  const text = piped + ["curl", "-s", ...options].map(quoteWord).join(" ");
  try {
    parseRequests(text);
  } catch (error) {
    if (!(error instanceof RequestSyntaxError)) throw error;
    const [fault] = error.faults;
    throw new UsageError([fault?.message, fault?.hint].filter(Boolean).join(". "));
  }
  return text;
}

/** The words of a request as they were typed, as far as the shell has left them. */
export function typedText({ kind, words }: RequestWords): string {
  const command = kind === "request" ? words : [kind, ...words];
  return command.map((word) => (/^\S+$/.test(word) ? word : quoteWord(word))).join(" ");
}

/** A request in an entry; its faults quote what was typed, not the curl command. */
export function quoteTyped<T extends Input>(input: T, typed = ""): T {
  if (input.kind !== "request") return input;
  const parsed = readText(input.text);
  const origin = { start: 0, end: typed.length };
  const statements = parsed.statements.map((statement) => ({ ...statement, origin }));
  return { ...input, parsed: { ...parsed, source: typed, statements } };
}

/**
 * Reads an entry such as `http :8787/users name=Ada`.
 *
 * @throws {UsageError} It cannot be read, or names a file that cannot.
 */
export async function readHttpie(
  source: string,
  platform: Pick<Platform, "readFile">,
): Promise<Cell> {
  const typed = source.trim();
  const { words } = splitWords(typed, 0, (_span, message, hint) => {
    throw new UsageError([message, hint].filter(Boolean).join(". "));
  });
  const [{ text: kind } = { text: "http" }, ...rest] = words;
  const request = {
    kind: kind === "https" ? kind : "http",
    words: rest.map(({ text }) => text),
  } as const;
  const curl = await requestText(request, platform, () => undefined);
  return quoteTyped(kindOfCell(curl), typed);
}

type ToCurl = (words: readonly string[], files: Files) => Promise<readonly string[]>;

const toCurl: { readonly [K in RequestWords["kind"]]: ToCurl } = {
  curl: withStandardInput,
  http: (words, files) => fromHttpie(words, "http", files),
  https: (words, files) => fromHttpie(words, "https", files),
  request: async (words, files) => {
    const [first = ""] = words;
    const hasMethod = /^[A-Za-z-]+$/.test(first) && !/^localhost$/i.test(first);
    refuseItems(words);
    const rest = await withStandardInput(hasMethod ? words.slice(1) : words, files);
    const method = hasMethod ? ["-X", first.toUpperCase()] : [];
    // As a request in an entry: redirects are followed, and brackets are part of the URL.
    return [
      "-g",
      "-L",
      "--compressed",
      ...method,
      ...withCompleteUrl(rest, hasMethod ? first.toUpperCase() : ""),
    ];
  },
};

async function fromHttpie(
  words: readonly string[],
  scheme: "http" | "https",
  { readFile }: Files,
): Promise<readonly string[]> {
  const readText = async (path: string): Promise<string> => {
    try {
      return new TextDecoder("utf-8", { fatal: true }).decode(await readFile(path));
    } catch (error) {
      throw new UsageError(`Reading "${path}" failed: ${(error as Error).message}`);
    }
  };
  try {
    return await httpieToCurl(words, scheme, readText);
  } catch (error) {
    throw error instanceof HttpieError ? new UsageError(error.message) : error;
  }
}

/** Request items of HTTPie are read after `http`: curl would take them as further URLs. */
function refuseItems(words: readonly string[]): void {
  const positionals = words.filter(
    (word, index) => !/^-./.test(word) && !takesNextWord(words[index - 1] ?? ""),
  );
  const item = positionals.slice(1).find(startsItem);
  if (item === undefined) return;
  const command = ["restlab", "http", ...positionals].map(quoteWord).join(" ");
  throw new UsageError(`"${item}" is a request item of HTTPie: write ${command}`);
}

/** Completes the URL as in a request: http for loopback hosts, https for others; `:8787` is localhost. */
function withCompleteUrl(words: readonly string[], method: string): readonly string[] {
  const at = words.findIndex((word, index) => {
    const isValue = index > 0 && takesNextWord(words[index - 1] ?? "");
    return !isValue && !/^-./.test(word);
  });
  const written = words[at];
  if (written === undefined) {
    throw new UsageError(`No URL is given: write ${method || "GET"} https://example.org/users`);
  }
  const target = /^\/(?!\/)/.test(written) ? `{{base}}${written}` : written;
  const url = target.startsWith("{{") ? target : completeUrl(target, undefined);
  if (url === undefined) {
    throw new UsageError(`The URL "${written}" has no host: write it whole, or as {{base}}/users`);
  }
  return words.with(at, url);
}

type ToOption = (text: string) => readonly [string, string];

/** The options that pass on the text of standard input in place of these options of curl with `@-`. */
const FROM_INPUT: ReadonlyMap<string, ToOption> = new Map<string, ToOption>([
  ["-d", (text) => ["--data-raw", text.replace(/[\r\n\0]/g, "")]],
  ["--data", (text) => ["--data-raw", text.replace(/[\r\n\0]/g, "")]],
  ["--data-binary", (text) => ["--data-raw", text]],
  ["--json", (text) => ["--json", text]],
]);

/** Puts standard input in the place of `@-`. */
async function withStandardInput(
  words: readonly string[],
  { note, pipe }: Files,
): Promise<readonly string[]> {
  const at = words.findIndex(
    (word, index) => word === "@-" && FROM_INPUT.has(words[index - 1] ?? ""),
  );
  const read = FROM_INPUT.get(words[at - 1] ?? "");
  if (read === undefined) return words;
  const text = escapeBraces(await readStandardInput(note));
  const [option, value] = read(text);
  if (!value.includes("\0")) return words.toSpliced(at - 1, 2, option, value);
  pipe(text);
  return words;
}
