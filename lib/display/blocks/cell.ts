import type { Redactor } from "../../secrets/mod.ts";
import type { Cell, CellType } from "./block.ts";
import { compactJson, cutText, dateText, numberText } from "./compact.ts";
import { isNumberText } from "./kinds.ts";
import { isOpaque } from "./opaque.ts";

/**
 * Converts a value to a cell; arrays and objects become compact JSON.
 *
 * @param most Characters of the full text of a cell that is shortened.
 */
export function toCell(
  value: unknown,
  length: number,
  redactor: Redactor,
  most: number = length,
): Cell {
  switch (typeof value) {
    case "string":
      return shortCell("string", redactor.text(value), length, most);
    case "number":
    case "bigint":
      return shortCell("number", redactor.number(numberText(value)), length);
    case "boolean":
      return { type: "boolean", text: String(value) };
    case "undefined":
      return { type: "text", text: "" };
    case "object":
      if (value === null) return { type: "null", text: "null" };
      if (value instanceof Date) return { type: "text", text: dateText(value) };
      if (isNumberText(value))
        return shortCell("number", redactor.number(value.toString()), length);
      if (isOpaque(value)) break;
      return shortCell(
        "structure",
        compactJson(value, Math.max(length, most), redactor),
        length,
        most,
      );
  }
  return { type: "text", text: compactJson(value, length, redactor) };
}

const NUMBER = /^[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?$/;

/** Converts a text that has no type, such as one of CSV; it is a number if it reads as one. */
export function toTextCell(text: string, length: number, redactor: Redactor): Cell {
  return NUMBER.test(text)
    ? shortCell("number", redactor.number(text), length)
    : shortCell("text", redactor.text(text), length);
}

/**
 * A cell of a text that is masked already.
 *
 * @param most Characters of the full text of a cell that is shortened.
 */
export function shortCell(
  type: CellType,
  text: string,
  length: number,
  most: number = length,
): Cell {
  const shown = { type, text: cutText(text, length) };
  return text.length <= length || most <= length ? shown : { ...shown, full: cutText(text, most) };
}

/** Whether a value has no parts. */
export function isScalar(value: unknown): boolean {
  const isObject = typeof value === "object" && value !== null;
  return !isObject || isNumberText(value) || value instanceof Date || isOpaque(value);
}
