import { HttpieError, httpieToCurl, quoteWord, takesNextWord } from "../../lib/curl/mod.ts";
import { escapeBraces } from "../../lib/interpolation/mod.ts";
import { parseRequests, RequestSyntaxError } from "../../lib/mod.ts";
import { completeUrl, startsItem } from "../../lib/request/mod.ts";
import type { Platform } from "../platform/mod.ts";
import { type RequestWords, UsageError } from "./options.ts";
import { readStandardInput } from "./script-entries.ts";

interface Files extends Pick<Platform, "readFile"> {
  /** Receives a note if standard input is waited for. */
  readonly note: (message: string) => void;
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
  const options = await toCurl[kind](words, { readFile, note });
  // -s has no effect, but with an option the text is a curl command for certain.
  const text = ["curl", "-s", ...options].map(quoteWord).join(" ");
  try {
    parseRequests(text);
  } catch (error) {
    if (!(error instanceof RequestSyntaxError)) throw error;
    const [fault] = error.faults;
    throw new UsageError([fault?.message, fault?.hint].filter(Boolean).join(". "));
  }
  return text;
}

type ToCurl = (words: readonly string[], files: Files) => Promise<readonly string[]>;

const toCurl: { readonly [K in RequestWords["kind"]]: ToCurl } = {
  curl: async (words, { note }) => await withStandardInput(words, note),
  http: (words, files) => fromHttpie(words, "http", files),
  https: (words, files) => fromHttpie(words, "https", files),
  request: async (words, { note }) => {
    const [first = ""] = words;
    const hasMethod = /^[A-Za-z-]+$/.test(first) && !/^localhost$/i.test(first);
    refuseItems(words);
    const rest = await withStandardInput(hasMethod ? words.slice(1) : words, note);
    const method = hasMethod ? ["-X", first.toUpperCase()] : [];
    // As a request in an entry: redirects are followed, and brackets are part of the URL.
    return ["-g", "-L", ...method, ...withCompleteUrl(rest, hasMethod ? first.toUpperCase() : "")];
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
  const target = /^:\d/.test(written) ? `localhost${written}` : written;
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
  note: Files["note"],
): Promise<readonly string[]> {
  const at = words.findIndex(
    (word, index) => word === "@-" && FROM_INPUT.has(words[index - 1] ?? ""),
  );
  const read = FROM_INPUT.get(words[at - 1] ?? "");
  if (read === undefined) return words;
  const text = await readStandardInput(note);
  return words.toSpliced(at - 1, 2, ...read(escapeBraces(text)));
}
