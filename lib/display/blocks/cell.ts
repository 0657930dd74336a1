import type { Redactor } from "../../secrets/mod.ts";
import type { Cell } from "./block.ts";
import { compactJson, cutText, dateText } from "./compact.ts";
import { isNumberText } from "./kinds.ts";

/** A value as the text of one cell; what it holds is folded to compact JSON. */
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

/** Whether a value fits one cell by its nature. */
export function isScalar(value: unknown): boolean {
  return (
    typeof value !== "object" || value === null || isNumberText(value) || value instanceof Date
  );
}
