import { messageOf } from "../exchange/mod.ts";
import { type Fault, isRecord } from "../interpolation/mod.ts";
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
import { type Block, isNumberText, type NoteBlock } from "./block.ts";
import { cutText } from "./compact.ts";
import { DEFAULT_LIMITS, type Limits } from "./limits.ts";

export { createMasker, HIDDEN, type Hidden, type Masker, type Redactor, SHOW_SECRETS, UNREDACTED };

/** How values are viewed: how much of them, and without which secrets. */
export interface ViewContext {
  readonly limits: Limits;
  /** What masks secrets. */
  readonly masking: Masking;
  /**
   * Masks a text before it is cut, since half a secret would not be found. Only the part of a long text that
   * can be shown is masked.
   */
  readonly redact: Masking["mask"];
  /** Masks the parts of data. */
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
  const redact: ViewContext["redact"] = (text, write) =>
    maskBeginning(text, most, (part) => masking.mask(part, write));
  return {
    limits,
    masking,
    redact,
    redactor: createRedactor((text) => redact(text)),
    showsSecrets: secrets.includes(SHOW_SECRETS),
  };
}

/**
 * The same context for data of a response. The texts that are shown are searched together, and all members
 * below secret names are hidden.
 *
 * @param masker Keeps what was searched.
 */
export function forData(context: ViewContext, data: unknown, masker: Masker): ViewContext {
  const most = maxText(context.limits);
  masker.searchAll(shownTexts(data, context.limits));
  const mask = (text: string): string => masker.mask(text, most);
  return { ...context, redactor: createRedactor(mask, context.masking.isSecretName) };
}

/** The same context for a member of data. */
export function forMember(context: ViewContext, name: string): ViewContext {
  return { ...context, redactor: context.redactor.at(name) };
}

/** How many characters of one text are shown at most. */
export function maxText({ text, line, json, cell }: Limits): number {
  return Math.max(text, line, json, cell * 4);
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

function failureNote(what: string, error: unknown, { limits, redact }: ViewContext): NoteBlock {
  const text = `Showing ${what} failed`;
  try {
    const reason = redact(messageOf(error));
    return { kind: "note", level: "error", text: cutText(`${text}: ${reason}`, limits.line) };
  } catch {
    // A message that cannot be masked is not shown.
    return { kind: "note", level: "error", text };
  }
}

/** A longer text is masked by itself, and only the part that is shown. */
const LONGEST = 20_000;
const DEEPEST = 32;
/** How many characters are searched for each character that a table shows. */
const SHARE = 2;

/**
 * Returns the keys and leaf values of data that a view may show, in order. This is an estimate: a view masks
 * everything else by itself when it shows it.
 */
function* shownTexts(data: unknown, limits: Limits): Generator<string, void, undefined> {
  let left = limits.table * SHARE;

  function* visit(item: unknown, depth: number): Generator<string, void, undefined> {
    if (left <= 0 || depth > DEEPEST) return;
    const text = textOf(item);
    if (text !== undefined) {
      if (text.length <= LONGEST) yield take(text);
    } else if (Array.isArray(item)) {
      for (let at = 0; at < Math.min(item.length, limits.rows) && left > 0; at++) {
        yield* visit(item[at], depth + 1);
      }
    } else if (isRecord(item)) yield* visitMembers(item, depth);
  }

  function* visitMembers(record: object, depth: number): Generator<string, void, undefined> {
    let count = 0;
    for (const key in record) {
      if (!Object.hasOwn(record, key)) continue;
      if (++count > limits.fields || left <= 0) return;
      if (key.length <= LONGEST) yield take(key);
      yield* visit(Reflect.get(record, key), depth + 1);
    }
  }

  const take = (text: string): string => {
    left -= text.length + 1;
    return text;
  };
  yield* visit(data, 0);
}

function textOf(item: unknown): string | undefined {
  if (typeof item === "string") return item;
  const isNumber = typeof item === "number" || typeof item === "bigint" || isNumberText(item);
  return isNumber ? String(item) : undefined;
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
