import { type ParsedText, startsAsAssertions, startsAsRequest } from "../../lib/request/mod.ts";

/** A cell's text by its kind; offsets in `text` are those of the cell. */
export type Cell = KindOfCell &
  Omit<SettingLines, "rest"> & {
    /** The cell as it was written. */
    readonly source: string;
  };

type KindOfCell =
  | {
      readonly kind: "request";
      readonly text: string;
      /** The requests of the text, if a front end has parsed them before it runs the cell. */
      readonly parsed?: ParsedText;
    }
  | { readonly kind: "typescript"; readonly text: string }
  /** Assertions without a request, about the last answer. */
  | { readonly kind: "assertions"; readonly text: string }
  /** The name of a variable or a response in double braces, or a path that begins with one: its value is shown. */
  | { readonly kind: "placeholder"; readonly text: string; readonly path: string }
  /** Only white space and comments. */
  | { readonly kind: "empty"; readonly text: string }
  /** It begins with `%%` but neither with `%%http` nor with `%%ts`. */
  | { readonly kind: "unknown-magic"; readonly text: string; readonly magic: string };

const PLACEHOLDER = /^\s*\{\{[ \t]*([\p{L}_][^{}\n]*?)[ \t]*\}\}\s*$/u;
const MAGIC = /^\uFEFF?\s*(%%\S*)/;
const LEADING_COMMENTS = /^(?:[^\S\n]*(?:#[^\n]*)?\n)*[^\S\n]*#[^\n]*/;

/**
 * Finds out the kind of a cell: a request, TypeScript, assertions, a placeholder, empty, or one with an unknown `%%`
 * line.
 *
 * @param isRequestFile Whether the cell is of a file of requests, which contains no TypeScript.
 */
export function kindOfCell(code: string, isRequestFile = false): Cell {
  const { rest = code, ...settings } = takeSettingLines(code) ?? {};
  const kind = isRequestFile ? kindInRequestFile(rest) : kindOfRest(rest);
  return { ...kind, ...settings, source: code };
}

function kindInRequestFile(code: string): KindOfCell {
  const isRequest = CONTENT.test(code) || startsAsRequest(code);
  return { kind: isRequest ? "request" : "empty", text: code };
}

function kindOfRest(code: string): KindOfCell {
  const [head = "", magic] = MAGIC.exec(code) ?? [];
  if (magic === "%%http") return { kind: "request", text: code };
  if (magic === "%%ts") {
    const blanked = " ".repeat(magic.length);
    return { kind: "typescript", text: head.replace(magic, blanked) + code.slice(head.length) };
  }
  if (magic !== undefined) return { kind: "unknown-magic", text: code, magic };
  const [, path] = PLACEHOLDER.exec(code) ?? [];
  if (path !== undefined) return { kind: "placeholder", text: code, path };
  if (startsAsRequest(code)) return { kind: "request", text: code };
  if (startsAsAssertions(code)) return { kind: "assertions", text: code };
  if (!CONTENT.test(code)) return { kind: "empty", text: code };
  // Leading `#` lines are comments in either kind of cell, but not to the compiler.
  const text = code.replace(LEADING_COMMENTS, (comments) => comments.replace(/[^\n]/g, " "));
  return { kind: "typescript", text: isJsonObject(code) ? `(${withBigints(text)}\n)` : text };
}

/** Numbers beyond 2^53 keep their digits, as those of answers do. */
function withBigints(json: string): string {
  return json.replace(/"(?:\\.|[^"\\])*"|-?\d{16,}(?![\d.eE])/g, (token) =>
    token.startsWith('"') || Number.isSafeInteger(Number(token)) ? token : `${token}n`,
  );
}

/** Whether a text is JSON that was pasted: to the compiler it would be a block. */
function isJsonObject(code: string): boolean {
  if (!/^\s*\{\s*"/.test(code) || !/\}\s*$/.test(code)) return false;
  try {
    return typeof JSON.parse(code) === "object";
  } catch {
    return false; // The compiler says what is wrong.
  }
}

/** A line that is neither blank nor a comment. */
const CONTENT = /^\uFEFF?[^\S\r\n\u2028\u2029]*(?!#(?!##)|\/\/)\S/m;

/** Lines `%env NAME`, `%strict on`, `%demo` and `%import SOURCE` that a cell begins with, below comments. */
interface SettingLines {
  /** The last line of each kind; without a value it asks for what is set. */
  readonly environment?: { readonly name?: string };
  readonly strict?: { readonly value?: string };
  /** Its value is a port. */
  readonly demo?: { readonly port?: string };
  /** The arguments of each import. */
  readonly imports?: readonly string[];
  /** The cell with blanks in their place, so that positions stay. */
  readonly rest: string;
}

const BLANK = String.raw`(?:[^\S\n]*\n)*`;
/** Comments may stand above, as the line `###` does in a file of requests. */
const ABOVE = String.raw`^\uFEFF?(?:[^\S\n]*(?:(?:#(?!!)|//)[^\n]*)?\n)*`;
const SETTINGS = String.raw`(?:[^\S\n]*%(?:(?:demo|env|strict)(?:[^\S\n]+\S+)?[^\S\n]*|import(?:[^\S\n][^\n]*)?)(?:\n|$)${BLANK})+`;
const LINES = new RegExp(`(${ABOVE})(${SETTINGS})`);
const LINE = /^[^\S\n]*%(\w+)(?:[^\S\n]+(\S(?:.*\S)?))?/gm;

/** Takes the lines of settings off the beginning of a cell; `undefined` if it has none. */
function takeSettingLines(code: string): SettingLines | undefined {
  const [, above = "", lines] = LINES.exec(code) ?? [];
  if (lines === undefined) return undefined;
  const found = [...lines.matchAll(LINE)];
  const [, , name] = found.findLast(([, word, value]) => word === "env" && value) ?? [];
  const [, , value] = found.findLast(([, word]) => word === "strict") ?? [];
  const [, , port] = found.findLast(([, word]) => word === "demo") ?? [];
  const imports = found.filter(([, word]) => word === "import").map((line) => line[2] ?? "");
  const has = (word: string): boolean => found.some((line) => line[1] === word);
  return {
    ...(has("env") && { environment: name === undefined ? {} : { name } }),
    ...(has("strict") && { strict: value === undefined ? {} : { value } }),
    ...(imports.length > 0 && { imports }),
    ...(has("demo") && { demo: port === undefined ? {} : { port } }),
    rest: above + lines.replace(/[^\n]/g, " ") + code.slice(above.length + lines.length),
  };
}
