import { nearNames } from "../../lib/interpolation/mod.ts";

/**
 * Rewords an error of `parseArgs` (`node:util`) as one line; other messages stay as they are.
 *
 * @param help The help of the command, which lists its options.
 */
export function toUsageMessage({ message }: Error, help: string): string {
  const [, option = ""] = /^(?:Unknown option|Option) '(?:-\w, )?(-*[^'\s]*)/.exec(message) ?? [];
  const rule = MESSAGES.find(([pattern]) => pattern.test(message));
  return rule === undefined ? message : rule[1](option, help);
}

type Reword = (option: string, help: string) => string;

/** The messages of Node, which Deno and Bun share, and the new ones. */
const MESSAGES: readonly (readonly [pattern: RegExp, reword: Reword])[] = [
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
  // Bun leaves out the dash of a letter in a group of letters.
  const written = option.startsWith("-") ? option : `-${option}`;
  return `Unknown option ${written}${near === undefined ? "" : `: did you mean ${near}`}`;
}

/** Joins an option and a negative number after it, which `parseArgs` would read as an option. */
export function joinNegativeNumbers(words: readonly string[]): readonly string[] {
  return words.flatMap((word, index) => {
    const next = words[index + 1] ?? "";
    if (/^--[a-z-]+$/.test(word) && isNegative(next)) return [`${word}=${next}`];
    return isNegative(word) && /^--[a-z-]+$/.test(words[index - 1] ?? "") ? [] : [word];
  });
}

const isNegative = (word: string): boolean => /^-\.?\d/.test(word);
