import { quoteWord, takesNextWord, writePiped } from "../../lib/curl/mod.ts";
import { escapeBraces } from "../../lib/interpolation/mod.ts";
import { parseRequests, RequestSyntaxError, readText } from "../../lib/mod.ts";
import { completeUrl, startsBody, startsItem } from "../../lib/request/mod.ts";
import type { RequestWords } from "./command.ts";
import type { Input } from "./entry/mod.ts";
import { readStandardInput, UsageError } from "./standard-input.ts";

interface StandardInput {
  /** Receives a note if standard input is waited for. */
  readonly note: (message: string) => void;
  /** Receives a body that no word can have, for the option with `@-`. */
  readonly pipe: (body: string) => void;
}

/**
 * Converts a request of the command line to an entry: a command of curl or HTTPie.
 *
 * @throws {UsageError} An option is unknown.
 */
export async function requestText(
  { kind, words }: RequestWords,
  note: (message: string) => void,
): Promise<string> {
  let piped = "";
  const pipe = (body: string): void => {
    piped = writePiped(body);
  };
  const command = await toCommand[kind](words, { note, pipe });
  const text = piped + command.map(quoteWord).join(" ");
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

type ToCommand = (words: readonly string[], input: StandardInput) => Promise<readonly string[]>;

/** `-s` and `--ignore-stdin` have no effect, but with an option the text is a command for certain. */
const toCommand: { readonly [K in RequestWords["kind"]]: ToCommand } = {
  curl: async (words, input) => ["curl", "-s", ...(await withStandardInput(words, input))],
  http: async (words) => ["http", "--ignore-stdin", ...words],
  https: async (words) => ["https", "--ignore-stdin", ...words],
  request: async (words, input) => {
    const [first = ""] = words;
    const hasMethod = /^[A-Za-z-]+$/.test(first) && !/^localhost$/i.test(first);
    refuseItems(words);
    const rest = await withStandardInput(hasMethod ? words.slice(1) : words, input);
    const method = hasMethod ? ["-X", first.toUpperCase()] : [];
    // As a request in an entry: redirects are followed, and brackets are part of the URL.
    return [
      "curl",
      "-s",
      "-g",
      "-L",
      "--compressed",
      ...method,
      ...withCompleteUrl(rest, hasMethod ? first.toUpperCase() : ""),
    ];
  },
};

/** Request items of HTTPie are read after `http`: curl would take them as further URLs. */
function refuseItems(words: readonly string[]): void {
  const positionals = words.filter(
    (word, index) => !/^-./.test(word) && !takesNextWord(words[index - 1] ?? ""),
  );
  const body = positionals.slice(1).find(startsBody);
  if (body !== undefined) {
    throw new UsageError(`"${body}" is no option: write --json before it, or -d for another body`);
  }
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
  { note, pipe }: StandardInput,
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
