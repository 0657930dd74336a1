const LINES =
  /^\uFEFF?(?:[^\S\n]*\n)*(?:[^\S\n]*%env(?:[^\S\n]+\S+)?[^\S\n]*(?:\n|$)(?:[^\S\n]*\n)*)+/;
const NAME = /%env[^\S\n]+(\S+)/g;

/**
 * Separates lines `%env NAME` at the top of a cell from the rest.
 *
 * @returns The name in the last line, if it has one, and the cell with blanks in place of the lines,
 * which keeps positions; nothing without such a line.
 */
export function takeEnvironmentLines(code: string): { name?: string; rest: string } | undefined {
  const [lines] = LINES.exec(code) ?? [];
  if (lines === undefined) return undefined;
  const rest = lines.replace(/[^\n]/g, " ") + code.slice(lines.length);
  const name = [...lines.matchAll(NAME)].at(-1)?.[1];
  return name === undefined ? { rest } : { name, rest };
}
