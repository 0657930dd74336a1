import { nearNames } from "../../interpolation/mod.ts";
import type { CurlCommand } from "./command.ts";
import { EFFECTS } from "./effects.ts";
import { findOption, longOptions } from "./options.ts";
import { emptyState, type State } from "./state.ts";
import { toCommand } from "./to-command.ts";
import type { Report, Word } from "./word.ts";
import { splitWords } from "./words.ts";

/** A command that was read, and where the text goes on. */
export interface CurlReading {
  /** Nothing where something is wrong with it, which was reported. */
  readonly command: CurlCommand | undefined;
  readonly next: number;
}

/** Whether a line begins a curl command. */
export function startsAsCurl(line: string): boolean {
  return /^\s*(?:\$\s+)?curl(?:\.exe)?(?=\s+(?:\^?["'$]|\\?\r?$|[-\w{[]|\^$|\\$))/i.test(line);
}

/**
 * Reads a curl command, as people write it and as browsers copy it. What cannot be done here, and
 * what would change what is sent without being understood, is reported; then there is no command.
 *
 * @param source The text.
 * @param start Where the command begins.
 * @param tell Notes what is wrong.
 */
export function parseCurl(source: string, start: number, tell: Report): CurlReading {
  let faults = 0;
  const report: Report = (span, message, hint) => {
    faults += 1;
    tell(span, message, hint);
  };
  const begin = start + (/^\s*(?:\$\s+)?/.exec(source.slice(start))?.[0].length ?? 0);
  const { words, next } = splitWords(source, begin, report);
  const state = readOptions(words.slice(1), report);
  const end = words.at(-1)?.span.end ?? begin;
  const span = { start: begin, end };
  const command = toCommand(state, span, report);
  return { command: faults === 0 ? command : undefined, next };
}

function readOptions(words: readonly Word[], report: Report): State {
  const state = emptyState();
  for (let index = 0; index < words.length; index++) {
    const word = words[index] as Word;
    if (!/^-./.test(word.text)) {
      state.urls.push(word);
      continue;
    }
    for (const { spelling, value } of spellingsOf(word)) {
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
        const hint = HINTS[option.name] ?? "Remove it if the request means the same without it";
        report(word.span, `The option "${spelling}" is not supported`, hint);
      } else if (option.kind === "used") {
        EFFECTS[option.name]?.(state, argument ?? "", place, report);
      }
    }
  }
  return state;
}

const HINTS: Readonly<Record<string, string>> = {
  next: "Write two commands separated by a line ###",
  resolve:
    "Write the address into the URL; the certificate is always checked against the host of the URL",
  "connect-to": "Write the address into the URL",
  "unix-socket": "Let the server listen on a TCP port as well",
  netrc: "Write the credentials after -u",
  config: "Write its options into the command",
  anyauth: "Write --basic or --digest, whichever the server wants",
  socks5: "Give an HTTP proxy with -x",
  "socks5-hostname": "Give an HTTP proxy with -x",
  socks4: "Give an HTTP proxy with -x",
};

/** `--no-silent` and kin, of options that change nothing that is sent. */
function negated(spelling: string): ReturnType<typeof findOption> {
  const option = spelling.startsWith("--no-") ? findOption(`--${spelling.slice(5)}`) : undefined;
  return option?.takesValue || option?.kind !== "ignored" ? undefined : option;
}

interface Spelling {
  readonly spelling: string;
  readonly value?: string;
}

/** `-sS` is two options, `-XPOST` one with its value. */
function* spellingsOf({ text }: Word): Generator<Spelling> {
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
