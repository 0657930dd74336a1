import { escapeBraces } from "../interpolation/mod.ts";
import { isSecretName } from "../request/mod.ts";

/** A variable of a `.env` file. */
interface DotenvVariable {
  readonly name: string;
  readonly value: string;
  /** Its line in the file, from 1. */
  readonly line: number;
}

/** What a `.env` file contains. */
export interface Dotenv {
  readonly variables: readonly DotenvVariable[];
  /** What was probably meant otherwise, with the line; values are never quoted. */
  readonly warnings: readonly { readonly line: number; readonly message: string }[];
  /** The values of other variables with secret names that were inserted. */
  readonly secrets: readonly string[];
}

type Environment = Readonly<Record<string, string | undefined>>;

/** `KEY=value`, `KEY: value`, `export KEY="several lines"`, each with a comment after it; `\"` does not end a text. */
const LINE =
  /^[^\S\n]*(?:export\s+)?([\w.-]+)(?:[^\S\n]*=|:(?=\s))[^\S\n]*('(?:\\'|[^'])*'|"(?:\\"|[^"])*"|`(?:\\`|[^`])*`|[^\n#]+)?[^\S\n]*(#.*)?$/gm;

/**
 * Reads a `.env` file as the packages dotenv and dotenv-expand do: a quoted value may span lines, `\n` is a line break
 * only in double quotes, `#` begins a comment, and `$NAME` and `${NAME:-default}` are expanded, whatever the quotes.
 *
 * @param text The text of the file.
 * @param outer The variables of the process, which go before those of the file where a value refers to them.
 * @param before The variables of files that were read before it.
 * @param isReference Whether a value names a secret that is fetched when it is used.
 * @throws {RangeError} Its values repeat each other too often.
 */
export function readDotenv(
  text: string,
  outer: Environment,
  before: Environment,
  isReference: (value: string) => boolean = () => false,
): Dotenv {
  const lines = parseDotenv(text);
  const written = new Map(lines.map((one) => [one.name, one]));
  const warnings = lines
    .filter(({ isCut }) => isCut)
    .map(({ line, name }) => ({ line, message: cut(name) }));
  const expanded = new Map<string, string>();
  const secrets = new Set<string>();
  let left = SIZE_LIMIT;
  let depth = 0;

  function lookUp(name: string): string | undefined {
    // A value may refer to itself, as in PATH=$PATH:/bin, and means the outer one then.
    const ofProcess = own(outer, name);
    const value = ofProcess || expand(name) || own(before, name);
    const isOwn = written.has(name) || own(before, name) !== undefined;
    // A secret is not there yet: a placeholder stands for it. Bun has the variables of the file in its process as well.
    if (value && isOwn && isReference(value)) return `{{${name}}}`;
    if (value && isSecretName(name)) secrets.add(value);
    // Only what stands in the file has placeholders.
    return value && value === ofProcess && value.includes("{{") ? escapeBraces(value) : value;
  }

  function expand(name: string): string | undefined {
    const known = expanded.get(name);
    const variable = written.get(name);
    if (known !== undefined || variable === undefined) return known;
    expanded.set(name, "");
    const { line, value } = variable;
    depth += 1;
    if (depth > DEPTH_LIMIT) throw new RangeError("its values refer to each other too deeply");
    const found = expandText(value, lookUp, () => warnings.push({ line, message: unknown(name) }));
    depth -= 1;
    left -= found.length;
    if (left < 0) throw new RangeError(`its values are longer than ${SIZE_LIMIT} characters`);
    expanded.set(name, found);
    return found;
  }

  const variables = [...written.values()].map(({ name, line }) => ({
    name,
    line,
    value: expand(name) ?? "",
  }));
  return { variables, warnings, secrets: [...secrets] };
}

/** The values of a file together; some lines can repeat each other without end. */
const SIZE_LIMIT = 16 * 1024 * 1024;

/** Each reference is a recursive call. */
const DEPTH_LIMIT = 500;

function own(environment: Environment, name: string): string | undefined {
  return Object.hasOwn(environment, name) ? environment[name] : undefined;
}

function cut(name: string): string {
  return `The value of ${name} ends before "#", where a comment begins: put the value in quotes if "#" is part of it`;
}

function unknown(name: string): string {
  return `The value of ${name} refers with "$" to a variable that does not exist, which leaves it out: write \\$ for a dollar sign`;
}

interface WrittenLine extends DotenvVariable {
  /** Whether a `#` within the value may have been meant as a part of it. */
  readonly isCut: boolean;
}

/** Splits a file into its variables, as they are written. */
export function parseDotenv(text: string): readonly WrittenLine[] {
  const lines: WrittenLine[] = [];
  const whole = text.replace(/^\uFEFF/, "").replace(/\r\n?/g, "\n");
  let at = 0;
  let line = 1;
  for (const { 0: match, 1: name = "", 2: written = "", 3: comment, index } of whole.matchAll(
    LINE,
  )) {
    for (; at < index; at += 1) if (whole[at] === "\n") line += 1;
    const isQuoted = /^(["'`]).*\1$/s.test(written.trim()) && written.trim().length > 1;
    const isCut =
      comment !== undefined && !isQuoted && !/[ \t]$/.test(match.slice(0, -comment.length));
    lines.push({ name, value: unquote(written.trim()), line, isCut });
  }
  return lines;
}

function unquote(value: string): string {
  const [, , text = value] = /^(["'`])(.*)\1$/s.exec(value) ?? [];
  if (!value.startsWith('"')) return text;
  return text.replaceAll("\\n", "\n").replaceAll("\\r", "\r");
}

/** A placeholder, which is not of the shell; an escaped dollar sign; the beginning of a reference; an end. */
const TOKEN =
  /\{\{[^{}\n]*\}\}|\\\$|\$\{(?<braced>[^{}$:+-]+)(?:(?<operator>:?[+-])|\})|\$(?<bare>[A-Za-z_]\w*)|\}/g;

/** A reference whose default is being read. */
interface Open {
  readonly name: string;
  readonly operator: string;
  /** What the reference begins with, for one that does not end. */
  readonly written: string;
  text: string;
  isUnknown: boolean;
}

/** Inserts the variables that a value refers to; what is inserted is not looked through again. */
function expandText(
  text: string,
  lookUp: (name: string) => string | undefined,
  onUnknown: () => void,
): string {
  const outermost: Open = { name: "", operator: "", written: "", text: "", isUnknown: false };
  const open = [outermost];
  let at = 0;
  for (const { 0: token, index, groups = {} } of text.matchAll(TOKEN)) {
    const into = open.at(-1) ?? outermost;
    into.text += text.slice(at, index);
    at = index + token.length;
    const { braced, operator, bare } = groups;
    const name = bare ?? braced;
    if (name !== undefined && operator !== undefined) {
      open.push({ name, operator, written: token, text: "", isUnknown: false });
    } else if (name !== undefined) {
      const value = lookUp(name);
      into.text += value ?? "";
      into.isUnknown ||= value === undefined;
    } else if (token === "}" && open.length > 1) close(open, lookUp);
    else into.text += token === "\\$" ? "$" : token;
  }
  const rest = text.slice(at);
  if (outermost.isUnknown) onUnknown();
  return open.map(({ written, text }) => written + text).join("") + rest;
}

/** Ends the innermost reference: `-` takes the default without a value, `+` with one. */
function close(open: Open[], lookUp: (name: string) => string | undefined): void {
  const { name, operator = "", text, isUnknown } = open.pop() ?? {};
  const into = open.at(-1);
  if (name === undefined || into === undefined) return;
  const value = lookUp(name);
  const takesDefault = Boolean(value) === operator.endsWith("+");
  into.text += takesDefault ? text : operator.endsWith("+") ? "" : value;
  into.isUnknown ||= takesDefault && isUnknown === true;
}
