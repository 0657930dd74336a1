import { dirname, isAbsolute, join } from "node:path";
import { isFailedAssertion } from "../../lib/assertions/mod.ts";
import { toVisibleLine } from "../../lib/display/mod.ts";
import {
  type AssertionResult,
  type Faulty,
  NoResponseError,
  parseRequests,
  type Secrets,
} from "../../lib/mod.ts";
import type { CellError } from "../session/cell/mod.ts";
import { type DocumentCell, readCell } from "./document.ts";
import { type Place, type Problem, shorten } from "./results.ts";

const MAX_DETAILS = 8_000;
const MAX_LINE = 500;

/** The problem of an assertion that failed and that is masked. */
export function assertionProblem(result: AssertionResult, cell: Place): Problem {
  const { text, name, expected, actual, message, location } = result;
  const compared =
    expected === undefined || actual === undefined
      ? []
      : [toVisibleLine(`expected ${expected}, found ${actual}`)];
  const title = name === undefined || name === text ? text : `${name}: ${text}`;
  const details = [title, ...compared, ...(message === undefined ? [] : [message])].join("\n");
  return {
    kind: "assertion",
    message: toLine(
      [title, ...(compared.length > 0 ? compared : [message ?? "failed"])].join(": "),
    ),
    details,
    place: placeIn(cell, location),
  };
}

/** The place of a line of a cell, which in a notebook has no file of its own. */
export function placeIn(
  cell: Place,
  { file, line }: Pick<AssertionResult["location"], "file" | "line">,
): Place {
  return { ...cell, file: cell.cell === undefined ? fileOf(file, cell) : cell.file, line };
}

/** The path of a file that a document names or imports, which is relative to the folder of the document. */
function fileOf(file: string | undefined, { file: document }: Place): string {
  if (file === undefined || file === document || isAbsolute(file)) return file ?? document;
  return join(dirname(document), file);
}

/**
 * The problem of an error that a cell did not catch.
 *
 * @param answered How many requests of the cell got a response.
 */
export function errorProblem(
  error: CellError,
  cell: DocumentCell,
  start: Place,
  { secrets: { mask }, answered }: { readonly secrets: Secrets; readonly answered: number },
): Problem {
  const { name, message, traceback, cause } = error;
  const fault = faultsOf(cause)?.[0];
  const isWithoutResponse =
    cause instanceof NoResponseError || (name === "TimeoutError" && isPending(cell, answered));
  return {
    kind: isWithoutResponse ? "no-response" : "error",
    message: toLine(mask(`${name}: ${message}`)),
    details: shorten(mask(traceback.join("\n")), MAX_DETAILS),
    place: { ...start, line: fault?.line ?? start.line },
  };
}

/** Whether the limit of a cell has ended a request, which it does before the limit of the request; not a script. */
function isPending(cell: DocumentCell, answered: number): boolean {
  return readCell(cell).kind !== "typescript" && parseRequests(cell.source).length > answered;
}

/** Whether an error only says that assertions have failed, which have problems of their own. */
export function isOfAssertions(
  { name, message }: CellError,
  assertions: readonly AssertionResult[],
): boolean {
  const failed = assertions.filter(isFailedAssertion);
  if (failed.length === 0) return false;
  return name === "AssertionError" || failed.some((one) => one.message === message);
}

function faultsOf(cause: unknown): Faulty["faults"] | undefined {
  const faults = (cause as Partial<Faulty> | undefined)?.faults;
  return Array.isArray(faults) ? faults : undefined;
}

function toLine(text: string): string {
  return shorten(toVisibleLine(text.replace(/\s*\n\s*/g, " ").trim()), MAX_LINE);
}
