import { type Fault, type Faulty, isRecord } from "../interpolation/mod.ts";
import {
  type Block,
  createViewContext,
  cutText,
  formatCount,
  type Hidden,
  type Limits,
  maskFault,
  tagOf,
  type ViewContext,
} from "./blocks/mod.ts";
import { drawFault } from "./formats/mod.ts";
import { traceOf } from "./text/mod.ts";

const DEEPEST_CAUSE = 5;

/** Options of displaying an error. */
export interface ErrorOptions {
  /** How much is shown; by default a screen or two. */
  readonly limits?: Limits;
  /** What is masked besides the secrets of an exchange: texts, and the secrets of clients. */
  readonly secrets?: readonly Hidden[];
  /** The width of a caret drawing in columns, 100 by default. */
  readonly width?: number;
  /** Whether a line of the stack is not in the code of the user. */
  readonly isOwnFrame?: (line: string) => boolean;
}

/** Whether a value is an error, also one of another realm. */
export function isError(value: unknown): value is Error {
  return value instanceof Error || tagOf(value) === "Error" || tagOf(value) === "DOMException";
}

/**
 * Displays an error: name and message, a caret drawing of each fault in its source text, the stack trace
 * in the code of the user, and its causes.
 *
 * @param error What was thrown.
 */
export function viewError(error: unknown, options: ErrorOptions = {}): Block[] {
  return viewOne(error, options, createViewContext(options.limits, options.secrets), 0);
}

/** Displays an error as part of another view. */
export function viewErrorAsPart(error: unknown, context: ViewContext): Block[] {
  return viewOne(error, {}, context, 0);
}

function viewOne(
  error: unknown,
  options: ErrorOptions,
  context: ViewContext,
  depth: number,
): Block[] {
  const { limits, redact } = context;
  if (!isRecord(error)) {
    return [
      { kind: "error", name: "Thrown", message: cutText(redact(String(error)), limits.line) },
    ];
  }
  const name = cutText(redact(text(error["name"], "Error")), limits.cell);
  const message = cutText(redact(text(error["message"], "")), limits.line);
  const faulty = isFaulty(error);
  const blocks: Block[] = [
    { kind: "error", name, message: faulty ? headOf(error, message) : message },
  ];
  if (faulty) blocks.push(...drawFaults(error, options.width ?? 100, context));
  const trace = traceOf(error, options.isOwnFrame).slice(0, limits.notes);
  if (trace.length > 0) {
    blocks.push({
      kind: "text",
      text: trace.map((line) => `    ${cutText(redact(line), limits.line)}`).join("\n"),
    });
  }
  // The message of a NoResponseError explains its causes, which are errors of fetch.
  if (depth >= DEEPEST_CAUSE || name === "NoResponseError") return blocks;
  for (const [heading, inner] of innerErrors(error).slice(0, limits.notes)) {
    blocks.push({ kind: "note", level: "info", text: heading });
    blocks.push(...viewOne(inner, options, context, depth + 1));
  }
  return blocks;
}

/** The cause of an error, or the errors of an AggregateError. */
function innerErrors(error: Readonly<Record<string, unknown>>): (readonly [string, unknown])[] {
  const { cause, errors } = error;
  const gathered = error instanceof AggregateError && Array.isArray(errors) ? errors : [];
  return [
    ...(isError(cause) ? [["Caused by", cause] as const] : []),
    ...gathered.map((inner: unknown) => ["Together with", inner] as const),
  ];
}

/** A message that only lists the faults is not repeated: each is in its drawing. */
function headOf({ faults }: Faulty, message: string): string {
  const [first] = faults;
  if (first === undefined || !message.includes(first.message.slice(0, 200))) return message;
  const { line, column } = first;
  return faults.length === 1
    ? `line ${line}, column ${column}`
    : formatCount(faults.length, "fault");
}

function drawFaults({ source, faults }: Faulty, width: number, context: ViewContext): Block[] {
  const { limits, redact } = context;
  const shown = faults.slice(0, limits.notes);
  const cut = (text: string): string => cutText(redact(text), limits.line);
  const drawings = shown.map((fault) => {
    const masked = maskFault(source, fault, context);
    return drawFault(masked.source, masked.fault, width, cut).join("\n");
  });
  const drawn = cutText(drawings.join("\n\n"), limits.text);
  const blocks: Block[] = [{ kind: "text", text: drawn, isDrawing: true }];
  const rest = faults.length - shown.length;
  if (rest > 0)
    blocks.push({ kind: "note", level: "info", text: `And ${formatCount(rest, "more fault")}` });
  return blocks;
}

function isFaulty(value: object): value is Faulty {
  const { source, faults } = value as Partial<Faulty>;
  return (
    typeof source === "string" &&
    Array.isArray(faults) &&
    faults.length > 0 &&
    faults.every(isFault)
  );
}

function isFault(value: unknown): value is Fault {
  if (!isRecord(value) || !isRecord(value["span"])) return false;
  return (
    typeof value["message"] === "string" &&
    Number.isInteger(value["line"]) &&
    Number.isInteger(value["span"]["start"]) &&
    Number.isInteger(value["span"]["end"])
  );
}

function text(value: unknown, otherwise: string): string {
  return typeof value === "string" && value !== "" ? value : otherwise;
}
