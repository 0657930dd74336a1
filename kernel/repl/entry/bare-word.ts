/** The words for leaving and for help at other prompts, with the commands for them. */
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
 * The command that a bare word such as `exit` stands for, as in IPython and psql.
 *
 * @returns Nothing for any other entry.
 */
export function commandOfBareWord(text: string): string | undefined {
  const word = text.trim();
  return Object.hasOwn(BARE_WORDS, word) ? BARE_WORDS[word] : undefined;
}

/** The name that an entry such as `client?` asks about, as in IPython. */
export function nameToExplain(text: string): string | undefined {
  return /^\s*([\p{L}_$][\p{L}\p{N}_$.]*)\s*\?\s*$/u.exec(text)?.[1];
}

/** Whether TypeScript that was run declares the name in a bare word. */
export function declaresBareWord(code: string, text: string): boolean {
  const name = /^[a-z]+/.exec(text.trim())?.[0];
  if (name === undefined) return false;
  const declaration = `\\b(?:const|let|var|function|class|import)\\b[^;\\n]*\\b${name}\\b`;
  return new RegExp(declaration).test(code);
}
