import { startsAsRequest } from "../../../lib/request/mod.ts";
import { UnknownMagicError } from "./errors.ts";
import { type SettingLines, takeSettingLines } from "./setting-lines.ts";

/** A cell's text by what it means; offsets in `text` are those of the cell. */
export type Cell = KindOfCell & Omit<SettingLines, "rest">;

type KindOfCell =
  | { readonly kind: "request"; readonly text: string }
  | { readonly kind: "typescript"; readonly text: string }
  /** Nothing but blanks and comments. */
  | { readonly kind: "empty"; readonly text: string };

const MAGIC = /^\uFEFF?\s*(%%\S*)/;
const LEADING_COMMENTS = /^(?:[^\S\n]*(?:#(?!!)[^\n]*)?\n)*[^\S\n]*#(?!!)[^\n]*/;

/**
 * Tells what a cell is: a request, TypeScript, or nothing.
 *
 * @throws {UnknownMagicError} It begins with `%%` and neither `%%http` nor `%%ts`.
 */
export function kindOfCell(code: string): Cell {
  if (last?.code === code) return last.cell;
  const cell = readCell(code);
  last = { code, cell };
  return cell;
}

/** A runner asks as well as the session. */
let last: { readonly code: string; readonly cell: Cell } | undefined;

function readCell(code: string): Cell {
  const { rest = code, ...settings } = takeSettingLines(code) ?? {};
  return { ...kindOfRest(rest), ...settings };
}

function kindOfRest(code: string): KindOfCell {
  const [head = "", magic] = MAGIC.exec(code) ?? [];
  if (magic === "%%http") return { kind: "request", text: code };
  if (magic === "%%ts") {
    const blanked = " ".repeat(magic.length);
    return { kind: "typescript", text: head.replace(magic, blanked) + code.slice(head.length) };
  }
  if (magic !== undefined) throw new UnknownMagicError(magic);
  if (isEmpty(code)) return { kind: "empty", text: code };
  if (startsAsRequest(code)) return { kind: "request", text: code };
  // A heading of `#` lines is a comment in either kind of cell, but not for the compiler.
  const text = code.replace(LEADING_COMMENTS, (comments) => comments.replace(/[^\n]/g, " "));
  return { kind: "typescript", text };
}

/** A line that is neither blank nor a comment. */
const CONTENT = /^\uFEFF?[^\S\n]*(?!#(?!##)|\/\/)[^\s]/m;

function isEmpty(code: string): boolean {
  return !CONTENT.test(code);
}
