import { createFault, type Fault, type Span } from "../interpolation/mod.ts";
import {
  type AssignmentDraft,
  type Entry,
  entriesOf,
  inFile,
  type NamedRequest,
  namedRequests,
  nameOf,
  neededLines,
  type RequestDraft,
  type RequestText,
  type RunDraft,
  type ScriptEntry,
  setsAny,
} from "./draft.ts";
import type { ParsedText } from "./parse.ts";

/** Finds the text of a file; an error says why it cannot be read, `undefined` that nobody has read it yet. */
type FindText = (path: string) => ParsedText | Error | undefined;

/** What a text may refer to besides itself. */
export interface ExpandOptions {
  readonly find: FindText;
  /** Finds a request of a text that was run before. */
  readonly named?: (name: string) => NamedRequest | undefined;
  /** Whether a variable has a value that a line of an imported file must not replace. */
  readonly isOwn?: (name: string) => boolean;
}

/** A fault of an `import` or `run` line. */
interface ImportFault extends Fault {
  readonly code: "file" | "syntax" | "reference";
  readonly severity: "error" | "warning";
}

/** A request text with the files that it names. */
export interface ExpandedText {
  /** Variable lines and scripts of imported files, then the entries of the text, with requests in place of `run` lines. */
  readonly entries: readonly Entry[];
  /** The named requests of imported files. */
  readonly imported: readonly NamedRequest[];
  readonly faults: readonly ImportFault[];
}

/**
 * Puts the entries of imported files where a text names them. The variable lines of an imported file are set
 * first, unless the text has the variable above its first request, or {@link ExpandOptions.isOwn} has it; of a name that
 * a file sets several times, the first line.
 */
export function expandText(text: RequestText, options: ExpandOptions): ExpandedText {
  const entries = entriesOf(text);
  const isAlone = text.imports.length === 0 && entries.length === text.statements.length;
  if (isAlone) return { entries, imported: [], faults: [] };
  return new Expansion(text, options).expand();
}

/** How many requests and files `run` lines may stand for: files that run each other twice multiply. */
const MAX_RUNS = 10_000;

class Expansion {
  readonly #text: RequestText;
  readonly #options: ExpandOptions;
  readonly #faults: ImportFault[] = [];
  /** The texts of files by their paths; `undefined` for one that was not found. */
  readonly #files = new Map<string, RequestText | undefined>();
  readonly #own: ReadonlySet<string>;
  #runs = 0;

  constructor(text: RequestText, options: ExpandOptions) {
    this.#text = text;
    this.#options = options;
    // A line below the first request replaces the value only when it is reached, as where each request is a cell.
    const first = text.statements.findIndex(({ kind }) => kind !== "assignment");
    const above = first === -1 ? text.statements : text.statements.slice(0, first);
    this.#own = new Set(above.flatMap((one) => (one.kind === "assignment" ? one.name : [])));
  }

  expand(): ExpandedText {
    for (const file of filesOf(this.#text)) this.#addFile(file, file.span);
    const files = [...this.#files.values()].filter((file) => file !== undefined);
    const lines = files.flatMap(assignments);
    // A file may use the lines of those that it imports; its own come later, and so go before them.
    const imported = files.flatMap((file) =>
      namedRequests(entriesOf(file)).map(({ draft, before }) => ({
        draft,
        before: [...lines.filter((line) => line.file !== draft.file), ...before],
      })),
    );
    const named = [...namedRequests(entriesOf(this.#text)), ...imported.toReversed()];
    const statements = this.#text.statements.flatMap((statement) =>
      statement.kind === "run" ? this.#run(statement, named, "", [], statement.span) : [statement],
    );
    const scripts = files.flatMap((file) => file.statements.filter(isScript));
    const entries = [...this.#firstLines(lines), ...scripts, ...statements];
    return { entries, imported, faults: this.#faults };
  }

  /** Adds a file and those that it imports; one that is named again, also by itself, is added once. */
  #addFile({ path, written }: NamedFile, span: Span): void {
    if (this.#files.has(path)) return;
    this.#files.set(path, undefined);
    const found = this.#options.find(path);
    if (found === undefined || found instanceof Error) {
      const reason = found?.message ?? "it has not been read; call client.prepare first";
      const hint = "Paths are relative to the folder of the file with the line";
      this.#report("file", span, `Cannot import "${written}": ${reason}`, hint);
      return;
    }
    const { text, others } = inOtherFile(found, path);
    for (const fault of others) {
      const message = `Cannot import all of "${written}": ${inFile(fault, path)}`;
      this.#report("syntax", span, message, fault.hint, "warning");
    }
    this.#files.set(path, text);
    for (const file of filesOf(found, path)) this.#addFile(file, span);
  }

  #firstLines(lines: readonly AssignmentDraft[]): readonly AssignmentDraft[] {
    const seen = new Set<string>();
    return lines.filter((line) => {
      const key = [line.name, ...(line.steps ?? [])].join(".");
      const isFirst = !seen.has(key);
      seen.add(key);
      return isFirst && !this.#isOwn(line);
    });
  }

  #isOwn(line: AssignmentDraft): boolean {
    return setsAny(line, (name) => this.#own.has(name) || this.#options.isOwn?.(name) === true);
  }

  /**
   * The entries that a `run` line stands for.
   *
   * @param origin The line of the text that is sent.
   */
  #run(
    run: RunDraft,
    named: readonly NamedRequest[],
    file: string,
    running: readonly string[],
    origin: Span,
  ): readonly Entry[] {
    if (run.isFile)
      return this.#runFile(run, named, resolvePath(run.target, file), running, origin);
    const found =
      named.find(({ draft }) => nameOf(draft) === run.target) ?? this.#options.named?.(run.target);
    if (found === undefined) {
      const hint = 'Write the name of "# @name" or of a line "###", and import its file';
      this.#report(
        "reference",
        origin,
        `Cannot run "${run.target}": no request has this name`,
        hint,
      );
      return [];
    }
    return this.#runRequest(found, run, origin);
  }

  #runFile(
    run: RunDraft,
    named: readonly NamedRequest[],
    path: string,
    running: readonly string[],
    origin: Span,
  ): readonly Entry[] {
    if (running.includes(path)) {
      const cycle = [...running, path].join(" → ");
      this.#report(
        "file",
        origin,
        `Cannot run "${run.target}": the files run each other, ${cycle}`,
      );
      return [];
    }
    const text = this.#files.get(path);
    if (text === undefined || !this.#countRun(origin)) return [];
    const before: AssignmentDraft[] = [];
    return text.statements.flatMap((statement) => {
      if (statement.kind === "run") {
        const inner = { ...statement, given: [...run.given, ...statement.given] };
        return this.#run(inner, named, path, [...running, path], origin);
      }
      if (statement.kind === "request") {
        return this.#runRequest({ draft: statement, before: [...before] }, run, origin);
      }
      if (statement.kind === "assignment") before.push(statement);
      return [];
    });
  }

  #runRequest(
    request: NamedRequest,
    { given, isReference }: Pick<RunDraft, "given" | "isReference">,
    origin: Span,
  ): readonly Entry[] {
    if (!this.#countRun(origin)) return [];
    const lines = neededLines(request);
    const draft: RequestDraft = { ...request.draft, origin, unlessAnswered: isReference };
    if (given.length === 0) return [...lines.filter((line) => !this.#isOwn(line)), draft];
    // Lines that are made of the values hold for this request only, too.
    const names = new Set(given.map(({ name }) => name));
    const others = lines.filter(
      (line) => !names.has(line.name) && (line.file === undefined || !this.#isOwn(line)),
    );
    return [{ ...draft, given: [...given, ...others] }];
  }

  /** Counts one more request or file; reports it once and returns `false` if there are too many. */
  #countRun(origin: Span): boolean {
    this.#runs += 1;
    if (this.#runs === MAX_RUNS + 1) {
      this.#report("file", origin, `Cannot run more than ${MAX_RUNS} requests and files`);
    }
    return this.#runs <= MAX_RUNS;
  }

  #report(
    code: ImportFault["code"],
    span: Span,
    message: string,
    hint?: string,
    severity: ImportFault["severity"] = "error",
  ): void {
    this.#faults.push({ ...createFault(this.#text, span, message, hint), code, severity });
  }
}

function isScript(statement: Entry | RunDraft): statement is ScriptEntry {
  return statement.kind === "script";
}

function assignments({ statements }: RequestText): readonly AssignmentDraft[] {
  return statements.filter((statement) => statement.kind === "assignment");
}

/** The text of another file, and its faults that belong to none of its requests. */
interface OtherFile {
  readonly text: RequestText;
  readonly others: readonly Fault[];
}

/**
 * Marks the entries of a text with its file. A fault affects only the requests between the same `###` lines, as in a
 * file that is run, or its variable line.
 */
function inOtherFile({ failure, ...text }: ParsedText, file: string): OtherFile {
  const faults = failure?.faults ?? [];
  const blockOf = createBlocks(text.lines);
  const others = new Set(faults);
  const take = (isOwn: (fault: Fault) => boolean): readonly Fault[] => {
    const own = faults.filter(isOwn);
    for (const fault of own) others.delete(fault);
    return own;
  };
  const statements = text.statements.flatMap((statement): readonly (Entry | RunDraft)[] => {
    if (statement.kind === "run") return [statement];
    if (statement.kind === "script") return [{ ...statement, file }];
    if (statement.kind === "assignment") {
      const own = take(({ span }) => isWithin(span, statement.span));
      return own.length === 0 ? [{ ...statement, file }] : [];
    }
    const { start } = statement.origin ?? statement.span;
    const own = take(({ span }) => blockOf(span.start) === blockOf(start));
    return [{ ...statement, file, ...(own.length === 0 ? {} : { faults: own }) }];
  });
  return {
    text: { ...text, statements },
    others: [...others].sort((one, other) => one.span.start - other.span.start),
  };
}

function isWithin(inner: Span, outer: Span): boolean {
  return inner.start >= outer.start && inner.start <= outer.end;
}

/** Numbers the parts of a text between `###` lines. */
function createBlocks(lines: RequestText["lines"]): (offset: number) => number {
  const starts = lines.filter(({ kind }) => kind === "separator").map(({ start }) => start);
  return (offset) => starts.findLastIndex((start) => start <= offset);
}

/** A file that a text names. */
interface NamedFile {
  /** The path, relative to the folder of the text that is sent. */
  readonly path: string;
  /** The path as it is written. */
  readonly written: string;
  /** The line that names it. */
  readonly span: Span;
}

/**
 * The files of the `import` and `run` lines of a text.
 *
 * @param file The path of the text, if it is itself an imported file.
 */
export function filesOf({ imports, statements }: RequestText, file = ""): readonly NamedFile[] {
  const runs = statements.flatMap((statement) =>
    statement.kind === "run" && statement.isFile
      ? [{ path: statement.target, span: statement.span }]
      : [],
  );
  return [...imports, ...runs].map(({ path, span }) => ({
    path: resolvePath(path, file),
    written: path,
    span,
  }));
}

const ABSOLUTE = /^(?:[\\/]|[a-z]:[\\/])/i;

/** Resolves a path in a file, without `.` and `..` where that is possible. */
export function resolvePath(path: string, file = ""): string {
  const folder = file.replace(/[^\\/]*$/, "");
  const whole = ABSOLUTE.test(path) ? path : `${folder}${path}`;
  const steps: string[] = [];
  for (const [index, step] of whole.split(/[\\/]/).entries()) {
    const last = steps.at(-1);
    if (step === "." || (step === "" && index > 0)) continue;
    if (step === ".." && last !== undefined && last !== ".." && last !== "") steps.pop();
    else steps.push(step);
  }
  return steps.join("/");
}
