/** Lines `%env NAME`, `%strict on` and `%demo` that a cell begins with, below comments. */
export interface SettingLines {
  /** The last line of each kind; without a value it asks for what is set. */
  readonly environment?: { readonly name?: string };
  readonly strict?: { readonly value?: string };
  /** Its value is a port. */
  readonly demo?: { readonly port?: string };
  /** The cell with blanks in their place, so that positions stay. */
  readonly rest: string;
}

const BLANK = String.raw`(?:[^\S\n]*\n)*`;
/** Comments may stand above, as the line `###` does in a file of requests. */
const ABOVE = String.raw`^\uFEFF?(?:[^\S\n]*(?:(?:#(?!!)|//)[^\n]*)?\n)*`;
const SETTINGS = String.raw`(?:[^\S\n]*%(?:demo|env|strict)(?:[^\S\n]+\S+)?[^\S\n]*(?:\n|$)${BLANK})+`;
const LINES = new RegExp(`(${ABOVE})(${SETTINGS})`);
const LINE = /%(demo|env|strict)(?:[^\S\n]+(\S+))?/g;

/** Takes the lines of settings off the beginning of a cell; `undefined` if it has none. */
export function takeSettingLines(code: string): SettingLines | undefined {
  const [, above = "", lines] = LINES.exec(code) ?? [];
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
    rest: above + lines.replace(/[^\n]/g, " ") + code.slice(above.length + lines.length),
  };
}
