import type { Redactor } from "../../secrets/mod.ts";
import type { Cell } from "./block.ts";
import { compactJson, cutText, dateText } from "./compact.ts";
import { isNumberText } from "./kinds.ts";

/** Converts a value to a cell; arrays and objects become compact JSON. */
export function toCell(value: unknown, length: number, redactor: Redactor): Cell {
  switch (typeof value) {
    case "string":
      return { text: cutText(redactor.text(value), length), numeric: false };
    case "number":
    case "bigint":
      return { text: cutText(redactor.number(String(value)), length), numeric: true };
    case "undefined":
      return { text: "", numeric: false };
    default:
      if (isNumberText(value))
        return { text: cutText(redactor.number(value.toString()), length), numeric: true };
      if (value instanceof Date) return { text: dateText(value), numeric: false };
      return { text: compactJson(value, length, redactor), numeric: false };
  }
}

/** Whether a value has no parts. */
export function isScalar(value: unknown): boolean {
  return (
    typeof value !== "object" || value === null || isNumberText(value) || value instanceof Date
  );
}
