/** Lines `%env NAME` that a cell begins with. */
export interface EnvironmentLines {
  /** The environment of the last of them; left out where it names none, which shows what is in use. */
  readonly name?: string;
  /** The cell with blanks in their place, so that positions stay. */
  readonly rest: string;
}

const LINES =
  /^\uFEFF?(?:[^\S\n]*\n)*(?:[^\S\n]*%env(?:[^\S\n]+\S+)?[^\S\n]*(?:\n|$)(?:[^\S\n]*\n)*)+/;
const NAME = /%env[^\S\n]+(\S+)/g;

/** Takes lines `%env NAME` off the beginning of a cell; nothing where there are none. */
export function takeEnvironmentLines(code: string): EnvironmentLines | undefined {
  const [lines] = LINES.exec(code) ?? [];
  if (lines === undefined) return undefined;
  const rest = lines.replace(/[^\n]/g, " ") + code.slice(lines.length);
  const name = [...lines.matchAll(NAME)].at(-1)?.[1];
  return name === undefined ? { rest } : { name, rest };
}
