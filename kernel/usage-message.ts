import { nearNames } from "../lib/interpolation/mod.ts";

/**
 * What is wrong with the options of a command line, in one line.
 *
 * @param error What `parseArgs` of `node:util` or a check of ours has thrown.
 * @param help The command's help, which lists its options.
 */
export function toUsageMessage({ message }: Error, help: string): string {
  const [, option = ""] = /^(?:Unknown option|Option) '(?:-\w, )?(-*[^'\s]*)/.exec(message) ?? [];
  const known = WORDS.find(([pattern]) => pattern.test(message));
  return known === undefined ? message : known[1](option, help);
}

type Word = (option: string, help: string) => string;

/** Node's words, which Deno and Bun have as well, and ours. */
const WORDS: readonly (readonly [pattern: RegExp, word: Word])[] = [
  [
    /argument is ambiguous/,
    (option) =>
      `Option ${option} has no value: write one that begins with a dash as ${option}=VALUE`,
  ],
  [/argument missing/, (option) => `Option ${option} has no value`],
  [/does not take an argument/, (option) => `Option ${option} takes no value`],
  [/^Unknown option/, unknownOption],
];

function unknownOption(option: string, help: string): string {
  const known = [...new Set(help.match(/--[a-z][a-z-]*/g))];
  const [near] = nearNames(option, known, 1);
  // Bun leaves the dash out where a letter stands among others.
  const written = option.startsWith("-") ? option : `-${option}`;
  return `Unknown option ${written}${near === undefined ? "" : `: did you mean ${near}`}`;
}

/** Gives an option the negative number behind it, which would be taken for another option. */
export function joinNegativeNumbers(words: readonly string[]): readonly string[] {
  return words.flatMap((word, index) => {
    const next = words[index + 1] ?? "";
    if (/^--[a-z-]+$/.test(word) && isNegative(next)) return [`${word}=${next}`];
    return isNegative(word) && /^--[a-z-]+$/.test(words[index - 1] ?? "") ? [] : [word];
  });
}

const isNegative = (word: string): boolean => /^-\.?\d/.test(word);
