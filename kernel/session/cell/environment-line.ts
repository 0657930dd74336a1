interface EnvironmentLines {
  /** The name in the last line, if it has one. */
  readonly name?: string;
  /** The cell with blanks in their place, which keeps positions. */
  readonly rest: string;
}

const LINES =
  /^\uFEFF?(?:[^\S\n]*\n)*(?:[^\S\n]*%env(?:[^\S\n]+\S+)?[^\S\n]*(?:\n|$)(?:[^\S\n]*\n)*)+/;
const NAME = /%env[^\S\n]+(\S+)/g;

/** Separates lines `%env NAME` at the top of a cell from the rest, if there are any. */
export function takeEnvironmentLines(code: string): EnvironmentLines | undefined {
  const [lines] = LINES.exec(code) ?? [];
  if (lines === undefined) return undefined;
  const rest = lines.replace(/[^\n]/g, " ") + code.slice(lines.length);
  const name = [...lines.matchAll(NAME)].at(-1)?.[1];
  return name === undefined ? { rest } : { name, rest };
}
