/** What people type to whom other prompts are home, by the command that it means here. */
const BARE_WORDS: Readonly<Record<string, string>> = {
  exit: ".quit",
  "exit()": ".quit",
  quit: ".quit",
  "quit()": ".quit",
  help: ".help",
  "help()": ".help",
  "?": ".help",
  "\\?": ".help",
  "\\q": ".quit",
  ":q": ".quit",
};

/**
 * The command that a bare word such as `exit` means, as IPython and psql have it.
 *
 * @param text An entry.
 * @returns Nothing where the entry is anything else.
 */
export function commandOfBareWord(text: string): string | undefined {
  const word = text.trim();
  return Object.hasOwn(BARE_WORDS, word) ? BARE_WORDS[word] : undefined;
}

/** Whether TypeScript that was run gives a bare word a meaning of its own. */
export function namesBareWord(code: string, text: string): boolean {
  const name = /^[a-z]+/.exec(text.trim())?.[0];
  if (name === undefined) return false;
  const declaration = `\\b(?:const|let|var|function|class|import)\\b[^;\\n]*\\b${name}\\b`;
  return new RegExp(declaration).test(code);
}
