import { type Fault, messageOf } from "../interpolation/mod.ts";
import {
  combineSecrets,
  createMasker,
  createRedactor,
  HIDDEN,
  type Hidden,
  type Masker,
  type Masking,
  maskBeginning,
  type Redactor,
  SHOW_SECRETS,
  UNREDACTED,
} from "../secrets/mod.ts";
import type { Block, NoteBlock } from "./block.ts";
import { cutText } from "./compact.ts";
import { DEFAULT_LIMITS, type Limits } from "./limits.ts";

export { HIDDEN, type Hidden, type Redactor, SHOW_SECRETS, UNREDACTED };

/**
 * How values are viewed: how much of them, and without which secrets. A view masks each text as it reads it, whole,
 * since half a secret would not be found; then it cuts the text. Blocks contain masked texts alone.
 */
export interface ViewContext {
  readonly limits: Limits;
  /** Finds secrets. */
  readonly masking: Masking;
  /** Masks texts of bodies, and keeps what it has masked. */
  readonly masker: Masker;
  /** Masks the parts of data. Of a long text only the part that can be shown is masked. */
  readonly redactor: Redactor;
  /** Whether secrets are shown, including those that are recognized by their place alone. */
  readonly showsSecrets: boolean;
}

/** Creates a view context that masks texts, and all secrets of clients, in whatever form. */
export function createViewContext(
  limits: Limits = DEFAULT_LIMITS,
  secrets: readonly Hidden[] = [],
): ViewContext {
  const masking = combineSecrets(secrets);
  const most = maxText(limits);
  return {
    limits,
    masking,
    masker: createMasker(masking),
    redactor: createRedactor((text) => maskBeginning(text, most, (part) => masking.mask(part))),
    showsSecrets: secrets.includes(SHOW_SECRETS),
  };
}

/**
 * The same context for data of a response: JSON in a text is masked as JSON, and members below secret names are
 * hidden.
 *
 * @param masker Keeps what it has masked; by default for this context alone.
 */
export function forData(context: ViewContext, masker: Masker = context.masker): ViewContext {
  const most = maxText(context.limits);
  const mask = (text: string): string => masker.mask(text, most);
  return { ...context, masker, redactor: createRedactor(mask, context.masking.isSecretName) };
}

/** How many characters of one text are shown at most. */
export function maxText({ text, source, line, json, cell }: Limits): number {
  return Math.max(text, source, line, json, cell * 4);
}

/** The note below an output with revealed secrets. */
export const REVEALED_NOTE: Block = {
  kind: "note",
  level: "warning",
  text: "This output contains secrets, revealed for this cell; clear it before you share it",
};

/**
 * Creates a view. If that fails, a note says why, and a simpler view replaces it: a response can be seen
 * whatever is wrong with one view of it.
 *
 * @param what What is viewed, in words.
 * @param instead Creates the simpler view; by default there is only the note.
 */
export function viewOrNote(
  what: string,
  context: ViewContext,
  view: () => readonly Block[],
  instead?: () => readonly Block[],
): readonly Block[] {
  try {
    return view();
  } catch (error) {
    const note = failureNote(what, error, context);
    return instead === undefined ? [note] : [note, ...viewOrNote("its text", context, instead)];
  }
}

function failureNote(what: string, error: unknown, { limits, redactor }: ViewContext): NoteBlock {
  const text = `Showing ${what} failed`;
  try {
    const reason = redactor.text(messageOf(error));
    return { kind: "note", level: "error", text: cutText(`${text}: ${reason}`, limits.line) };
  } catch {
    // A message that cannot be masked is not shown.
    return { kind: "note", level: "error", text };
  }
}

/**
 * Masks the source text of a fault, and moves the span of the fault accordingly, so that the carets are still
 * below the right text. Line breaks are kept, since line numbers would be wrong without them.
 */
export function maskFault(
  source: string,
  fault: Fault,
  { masking }: Pick<ViewContext, "masking">,
): { readonly source: string; readonly fault: Fault } {
  const ranges = masking.locate(source);
  if (ranges.length === 0) return { source, fault };
  const parts: string[] = [];
  let from = 0;
  let { start, end } = fault.span;
  for (const range of ranges) {
    const breaks = source.slice(range.start, range.end).replace(/[^\n]/g, "");
    const shown = range.shown + breaks;
    parts.push(source.slice(from, range.start), shown);
    from = range.end;
    start = moved(fault.span.start, start, range, shown.length, "start");
    end = moved(fault.span.end, end, range, shown.length, "end");
  }
  parts.push(source.slice(from));
  return { source: parts.join(""), fault: { ...fault, span: { start, end } } };
}

/** The new offset of a place after a range before it, or around it, has been replaced. */
function moved(
  place: number,
  now: number,
  range: { readonly start: number; readonly end: number },
  length: number,
  side: "start" | "end",
): number {
  if (place >= range.end) return now + length - (range.end - range.start);
  if (place <= range.start) return now;
  // A span that begins or ends inside a secret covers its whole replacement.
  const begin = now - (place - range.start);
  return side === "start" ? begin : begin + length;
}
