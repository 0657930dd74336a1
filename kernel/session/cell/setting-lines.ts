/** Lines `%env NAME`, `%strict on` and `%demo` that a cell begins with. */
export interface SettingLines {
  /** The last line of each kind; without a value it asks for what is set. */
  readonly environment?: { readonly name?: string };
  readonly strict?: { readonly value?: string };
  /** Its value is a port. */
  readonly demo?: { readonly port?: string };
  /** The cell with blanks in their place, so that positions stay. */
  readonly rest: string;
}

const LINES =
  /^\uFEFF?(?:[^\S\n]*\n)*(?:[^\S\n]*%(?:demo|env|strict)(?:[^\S\n]+\S+)?[^\S\n]*(?:\n|$)(?:[^\S\n]*\n)*)+/;
const LINE = /%(demo|env|strict)(?:[^\S\n]+(\S+))?/g;

/** Takes the lines of settings off the beginning of a cell; `undefined` if it has none. */
export function takeSettingLines(code: string): SettingLines | undefined {
  const [lines] = LINES.exec(code) ?? [];
  if (lines === undefined) return undefined;
  const found = [...lines.matchAll(LINE)];
  const [, , name] = found.findLast(([, word, value]) => word === "env" && value) ?? [];
  const [, , value] = found.findLast(([, word]) => word === "strict") ?? [];
  const [, , port] = found.findLast(([, word]) => word === "demo") ?? [];
  const has = (word: string): boolean => found.some((line) => line[1] === word);
  return {
    ...(has("env") && { environment: name === undefined ? {} : { name } }),
    ...(has("strict") && { strict: value === undefined ? {} : { value } }),
    ...(has("demo") && { demo: port === undefined ? {} : { port } }),
    rest: lines.replace(/[^\n]/g, " ") + code.slice(lines.length),
  };
}
