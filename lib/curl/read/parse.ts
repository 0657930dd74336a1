import { nearNames } from "../../interpolation/mod.ts";
import type { CurlCommand } from "./command.ts";
import { EFFECTS } from "./effects.ts";
import { findOption, longOptions } from "./options.ts";
import { emptyState, type State } from "./state.ts";
import { toCommand } from "./to-command.ts";
import type { Report, Word } from "./word.ts";
import { splitWords } from "./words.ts";

/** A parsed command, and the start of the line after it. */
interface ParsedCurl {
  /** `undefined` if it has faults. */
  readonly command: CurlCommand | undefined;
  readonly next: number;
}

/** Whether a line begins a curl command. */
export function startsAsCurl(line: string): boolean {
  return /^\s*(?:\$\s+)?curl(?:\.exe)?(?=\s+(?:\^?["'$]|\\?\r?$|[-\w{[]|\^$|\\$))/i.test(line);
}

/**
 * Parses a curl command, as people write it and as browsers copy it. An option that is not supported and would
 * change what is sent is a fault; with a fault there is no command.
 *
 * @param source The text.
 * @param start The offset of the command.
 * @param onFault Called with each fault.
 */
export function parseCurl(source: string, start: number, onFault: Report): ParsedCurl {
  let faults = 0;
  const report: Report = (span, message, hint) => {
    faults += 1;
    onFault(span, message, hint);
  };
  const begin = start + (/^\s*(?:\$\s+)?/.exec(source.slice(start))?.[0].length ?? 0);
  const { words, next } = splitWords(source, begin, report);
  const state = readOptions(words.slice(1), report);
  const end = words.at(-1)?.span.end ?? begin;
  const span = { start: begin, end };
  const command = toCommand(state, span, report);
  return { command: faults === 0 ? command : undefined, next };
}

/** Whether an argument of curl is an option whose value is the next argument. */
export function takesNextWord(word: string): boolean {
  if (!/^-./.test(word)) return false;
  const last = [...spellingsOf(word)].at(-1);
  return last?.value === undefined && findOption(last?.spelling ?? "")?.takesValue === true;
}

function readOptions(words: readonly Word[], report: Report): State {
  const state = emptyState();
  for (let index = 0; index < words.length; index++) {
    const word = words[index] as Word;
    if (!/^-./.test(word.text)) {
      state.urls.push(word);
      continue;
    }
    for (const { spelling, value } of spellingsOf(word.text)) {
      const option = findOption(spelling) ?? negated(spelling);
      if (option === undefined) {
        report(word.span, `Unknown curl option "${spelling}"`, hintFor(spelling));
        continue;
      }
      let argument = value;
      let place = word;
      if (option.takesValue && argument === undefined) {
        index += 1;
        const following = words[index];
        if (following === undefined) {
          report(word.span, `The option "${spelling}" has no value`, "Write one after it");
          break;
        }
        argument = following.text;
        place = following;
      }
      if (option.kind === "refused") {
        const hint = HINTS[option.name] ?? "Remove it if the request does not need it";
        report(word.span, `The option "${spelling}" is not supported`, hint);
      } else if (option.kind === "used") {
        EFFECTS[option.name]?.(state, argument ?? "", place, report);
      }
    }
  }
  return state;
}

const HINTS: Readonly<Record<string, string>> = {
  next: "Write two commands with a line ### between them",
  resolve:
    "Write the address in the URL; the certificate is always checked against the host of the URL",
  "connect-to": "Write the address in the URL",
  "unix-socket": "Run the server on a TCP port as well",
  netrc: "Write the credentials after -u",
  config: "Write its options in the command",
  anyauth: "Use --basic or --digest, as the server requires",
  socks5: "Use an HTTP proxy with -x",
  "socks5-hostname": "Use an HTTP proxy with -x",
  socks4: "Use an HTTP proxy with -x",
};

/** `--no-silent` and the like, for options of kind `ignored`. */
function negated(spelling: string): ReturnType<typeof findOption> {
  const option = spelling.startsWith("--no-") ? findOption(`--${spelling.slice(5)}`) : undefined;
  return option?.takesValue || option?.kind !== "ignored" ? undefined : option;
}

interface Spelling {
  readonly spelling: string;
  readonly value?: string;
}

/** Splits `-sS` into two options and `-XPOST` into an option and its value. */
function* spellingsOf(text: string): Generator<Spelling> {
  if (text.startsWith("--")) {
    yield { spelling: text };
    return;
  }
  for (let at = 1; at < text.length; at++) {
    const spelling = `-${text[at]}`;
    const takesValue = findOption(spelling)?.takesValue === true;
    const rest = text.slice(at + 1);
    yield takesValue && rest !== "" ? { spelling, value: rest } : { spelling };
    if (takesValue) return;
  }
}

function hintFor(spelling: string): string {
  const [near] = spelling.startsWith("--") ? nearNames(spelling, longOptions(), 1) : [];
  return near === undefined ? "Remove it, or write the request as text" : `Did you mean ${near}`;
}
