import type { AssertionDraft } from "../assertions/mod.ts";
import {
  type Explanation,
  type Fault,
  type Faulty,
  type PathPlaceholder,
  type SourceText,
  type Span,
  type Template,
  UnresolvedPlaceholderError,
} from "../interpolation/mod.ts";
import { annotationKey, findAnnotation } from "./annotations.ts";
import { RequestCheckError } from "./errors.ts";
import { fragmentsIn } from "./graphql.ts";
import type { OutlineLine } from "./outline.ts";
import { placeholdersOf } from "./templates.ts";

/** A header line. */
export interface HeaderDraft {
  /** Its name; empty if it has a placeholder, or if the whole line is one. */
  readonly name: string;
  /** Its value; without a name the whole line. */
  readonly value: Template;
  /** The line without surrounding whitespace. */
  readonly span: Span;
}

/** A comment line `# @key value` or `// @key value` about the next request. */
export interface Annotation {
  /** The key without the at sign. */
  readonly key: string;
  /** The value without surrounding whitespace; often empty. */
  readonly value: string;
  /** The whole line. */
  readonly span: Span;
}

/** A body: text with placeholders, a file (`< path`; `<@ path` renders its placeholders), or both in pieces. */
export type BodyDraft =
  | {
      readonly kind: "text";
      readonly text: Template;
      /** The same without its comments, in case the body is JSON; absent if it has none. */
      readonly json?: { readonly text: Template; readonly span: Span } | undefined;
      /** Whether no line in it names a file and its line breaks are not normalized. */
      readonly exact?: true | undefined;
      /** Lines within the span that are not part of it: comments, assertions. */
      readonly omitted?: readonly Span[] | undefined;
      readonly span: Span;
    }
  | {
      readonly kind: "file";
      readonly path: Template;
      /** Whether to render the placeholders in the file. */
      readonly interpolated: boolean;
      /** From `<@latin1 path`; UTF-8 by default. */
      readonly encoding?: string | undefined;
      readonly span: Span;
    }
  | {
      readonly kind: "pieces";
      /** Texts and files in order, sent unchanged. */
      readonly pieces: readonly (Template | FileDraft)[];
      readonly span: Span;
    };

/** A file in a body. */
export interface FileDraft {
  /** The file. */
  readonly path: Template;
  /** Whether to render the placeholders in the file. */
  readonly interpolated: boolean;
  /** From `<@latin1 path`; UTF-8 by default. */
  readonly encoding?: string | undefined;
  /** How its content is changed: as curl does, or as text within a JSON string. */
  readonly change?: "unbroken" | "encoded" | "json" | "trimmed-json" | undefined;
  /** What it contains, if there is no file: bytes of a curl command that are not UTF-8. */
  readonly bytes?: Uint8Array | undefined;
}

/** Where to save the body of the response: a line `>> path`, or `>>! path`. */
export interface SaveDraft {
  /** The file. */
  readonly path: Template;
  /** Whether to replace an existing file, from `>>!`. */
  readonly replace: boolean;
  /** Whether to continue a part of the file, from `curl -C -`. */
  readonly resume?: boolean | undefined;
}

/**
 * A script of JetBrains' files: `< {% … %}` before a request, `> {% … %}` after it, or the path of its file. Or one of
 * httpYac's: `{{`, lines of code, `}}`. A session runs it, and only in a text that a person runs.
 */
export interface ScriptDraft extends SourceText {
  /** The client whose objects the script uses. */
  readonly dialect: "jetbrains" | "httpyac";
  /**
   * Whether it runs before the request is sent, or after its response; `{{@request` runs before it, after all other
   * scripts.
   */
  readonly when: "before" | "request" | "after";
  /** Whether it runs with every request of its file from here on, as `{{+` says. */
  readonly isForEach?: true | undefined;
  /** The code between the brackets, or the path of a file. */
  readonly from:
    | { readonly kind: "code"; readonly code: Span }
    | { readonly kind: "file"; readonly path: string };
  /** From its first to its last line. */
  readonly span: Span;
  /** The text that the spans refer to. */
  readonly source: string;
  /** The file that contains it, if it belongs to no request and the text imports it. */
  readonly file?: string | undefined;
}

/** A script that is not run: its text may come from a value, or, with a reason, it is written for another client. */
export interface SkippedScript {
  /** From its first to its last line. */
  readonly span: Span;
  /** The text that the span refers to. */
  readonly source: string;
  /** Why a script of another client is not run, and what to write. */
  readonly reason?: { readonly message: string; readonly hint: string } | undefined;
}

/**
 * How often a request is sent: `# @loop for 3`, once for each element by `# @loop for item of list`, or once for each
 * match of its `{{$.list..id}}`.
 */
export type LoopDraft =
  | { readonly kind: "each"; readonly list: PathPlaceholder }
  | { readonly kind: "count"; readonly count: number }
  | { readonly kind: "list"; readonly name: string; readonly list: PathPlaceholder };

/** A warning about a line of a request; it does not prevent sending. */
export interface Remark {
  /** The part of the request, or the kind of line. */
  readonly code: "url" | "header" | "header-name" | "body" | "json" | "ignored";
  /** `info` if it is no probable mistake; a warning by default. */
  readonly level?: "info" | undefined;
  /** What is doubtful, and how the line was read. */
  readonly message: string;
  /** The message for an exchange, which has no positions, if it differs. */
  readonly warning?: string | undefined;
  /** What to do. */
  readonly hint?: string | undefined;
  /** Where it is. */
  readonly span: Span;
  /** The templates whose values it depends on: it is not known while they are not. */
  readonly of?: readonly Template[] | undefined;
}

/** A request before it is rendered. */
export interface RequestDraft extends SourceText {
  /** The discriminant. */
  readonly kind: "request";
  /** From `# @name login`. */
  readonly name?: string | undefined;
  /** From the line `### title` before the request. */
  readonly title?: string | undefined;
  /** Every `# @key value` line before the request line or between the headers, `@name` included. */
  readonly annotations: readonly Annotation[];
  /** From `# @loop for …`. */
  readonly loop?: LoopDraft | undefined;
  /** In upper case if it is a known method. */
  readonly method: string;
  /** The placeholder that it is written as, whose value is the method. */
  readonly methodTemplate?: Template | undefined;
  /** The target, with its continuation lines. */
  readonly url: Template;
  /** What follows it, with files: the query of a curl command with `--data-urlencode name@file`. */
  readonly query?: readonly (Template | FileDraft)[] | undefined;
  /** The span of the URL, including continuation lines. */
  readonly urlSpan: Span;
  /** The headers in order. */
  readonly headers: readonly HeaderDraft[];
  /** Headers that are not added to it, in lower case, from `curl -H 'Accept:'`. */
  readonly without?: readonly string[] | undefined;
  /** The body after the blank line. */
  readonly body?: BodyDraft | undefined;
  /** From a line `>> path` after the request. */
  readonly saveTo?: SaveDraft | undefined;
  /** From lines `?? status == 200`. */
  readonly assertions?: readonly AssertionDraft[] | undefined;
  /** The scripts before and after it, in order. */
  readonly scripts?: readonly ScriptDraft[] | undefined;
  /** Scripts that are not run. */
  readonly skipped?: readonly SkippedScript[] | undefined;
  /** Lines that were probably not meant as they were read. */
  readonly remarks?: readonly Remark[] | undefined;
  /** From its request line to its last line that is not blank. */
  readonly span: Span;
  /** The text that the spans refer to. */
  readonly source: string;
  /**
   * The span of a curl command or of a `run` line in the text that was parsed. The other spans refer to `source`,
   * the text of the equivalent request or of the file of the request.
   */
  readonly origin?: Span | undefined;
  /** The file that contains it, if the text imports it from one. */
  readonly file?: string | undefined;
  /** The faults of its part of an imported file; they prevent sending. */
  readonly faults?: readonly Fault[] | undefined;
  /** Variable lines that apply to this request only, from `run #name (@id=1)` or from one pass of a loop. */
  readonly given?: readonly AssignmentDraft[] | undefined;
  /** Whether it is skipped if it has a response, because of a line `# @ref name` without a request. */
  readonly unlessAnswered?: boolean | undefined;
}

/** A line `@name = value`, which sets a variable when it is reached, or `@name := value`. */
export interface AssignmentDraft extends SourceText {
  /** The discriminant. */
  readonly kind: "assignment";
  /** The name of the variable. */
  readonly name: string;
  /** The path of the property to set, from `@Users.API_host = …`. */
  readonly steps?: readonly string[] | undefined;
  /** The value. */
  readonly value: Template;
  /** The span of the value. */
  readonly valueSpan: Span;
  /** Whether its value is resolved when it is used, from `@name := value`, as in httpYac. */
  readonly isLazy?: boolean | undefined;
  /** The whole line. */
  readonly span: Span;
  /** The text that the spans refer to. */
  readonly source: string;
  /** The file that contains it, if the text imports it from one. */
  readonly file?: string | undefined;
}

/** A line `# @import other.http`, or `import other.http` as in JetBrains' files. */
export interface ImportDraft {
  /** The path, relative to the file that contains the line. */
  readonly path: string;
  /** The whole line. */
  readonly span: Span;
}

/** A line `run #name` or `run other.http`, possibly with values: `run #name (@id=1)`. */
export interface RunDraft {
  /** The discriminant. */
  readonly kind: "run";
  /** The name of the request, or the path of the file. */
  readonly target: string;
  /** Whether the target is a file, all of whose requests are sent. */
  readonly isFile: boolean;
  /** Whether it is a line `# @ref name` without a request: nothing is sent if there is a response. */
  readonly isReference: boolean;
  /** Variable lines that apply to these requests only. */
  readonly given: readonly AssignmentDraft[];
  /** The whole line. */
  readonly span: Span;
}

/** A script of httpYac that belongs to no single request. It runs when it is reached, or with each request. */
export interface ScriptEntry extends ScriptDraft {
  /** The discriminant. */
  readonly kind: "script";
}

/** An entry of a request text. */
export type Entry = RequestDraft | AssignmentDraft | ScriptEntry;

/** A request text before the files that it names are read. */
export interface RequestText extends SourceText {
  /** The text that all spans refer to. */
  readonly source: string;
  /**
   * What each of its lines is.
   *
   * @internal
   */
  readonly lines: readonly OutlineLine[];
  /** Its entries in order; a `run` line stands for requests of this text or of files. */
  readonly statements: readonly (Entry | RunDraft)[];
  /** The files whose requests it refers to. */
  readonly imports: readonly ImportDraft[];
}

/** A request with a name, and the variable lines before it in its text. */
export interface NamedRequest {
  readonly draft: RequestDraft;
  readonly before: readonly AssignmentDraft[];
}

/** The name of a request from `# @name login`, and its title from `### title`; without a value they are left out. */
export function readNames(
  annotations: readonly Annotation[],
  title: string | undefined,
): Pick<RequestDraft, "name" | "title"> {
  const name = findAnnotation(annotations, "name")?.value;
  return {
    ...(name === undefined || name === "" ? {} : { name }),
    ...(title === undefined ? {} : { title }),
  };
}

/** The name that other requests refer to: from `# @name login`, else from `### login`. */
export function nameOf({ name, title }: Pick<RequestDraft, "name" | "title">): string | undefined {
  return name ?? title;
}

/** The entries of a text, without its `run` lines. */
export function entriesOf({ statements }: RequestText): readonly Entry[] {
  return statements.filter((statement) => statement.kind !== "run");
}

/** Whether a line sets a variable with one of these names, or a property of it: `@api.host = …` sets `api.host` or `api`. */
export function setsAny(
  { name, steps = [] }: AssignmentDraft,
  has: (name: string) => boolean,
): boolean {
  return has(name) || steps.some((_, at) => has([name, ...steps.slice(0, at + 1)].join(".")));
}

/** A text without the variable lines that set one of these variables, or a property of it. */
export function withoutLines<Text extends RequestText>(
  text: Text,
  names: ReadonlySet<string>,
): Text {
  if (names.size === 0) return text;
  const statements = text.statements.filter(
    (one) => one.kind !== "assignment" || !setsAny(one, (name) => names.has(name)),
  );
  return { ...text, statements };
}

/** The named requests of a text, in order. */
export function namedRequests(entries: readonly Entry[]): readonly NamedRequest[] {
  const before: AssignmentDraft[] = [];
  return entries.flatMap((entry) => {
    if (entry.kind === "request") {
      return nameOf(entry) === undefined ? [] : [{ draft: entry, before: [...before] }];
    }
    if (entry.kind === "assignment") before.push(entry);
    return [];
  });
}

/** The variable lines before a request whose values it uses, directly or through other lines. */
export function neededLines({ draft, before }: NamedRequest): readonly AssignmentDraft[] {
  const names = new Set(namesIn(draft));
  const needed = before.toReversed().filter((line) => {
    if (!names.has(line.name)) return false;
    for (const name of namesIn(line)) names.add(name);
    return true;
  });
  return needed.toReversed();
}

function namesIn(entry: Entry): readonly string[] {
  const names = placeholdersOf(entry).map(({ name }) => name);
  if (entry.kind !== "request" || entry.body?.kind !== "text") return names;
  return [...names, ...entry.body.text.parts.flatMap((part) => fragmentsIn(String(part)))];
}

/** `# @ref login` or `# @forceRef login`: a request to send before this one. */
export interface Reference {
  /** The name of the request. */
  readonly name: string;
  /** Whether to send it even if it has a response already. */
  readonly force: boolean;
  /** The span of the annotation. */
  readonly span: Span;
}

const KEYS: ReadonlyMap<string, boolean> = new Map([
  ["ref", false],
  ["forceref", true],
]);

/** The references of a request in order. */
export function referencesOf({
  annotations,
}: Pick<RequestDraft, "annotations">): readonly Reference[] {
  return annotations.flatMap(({ key, value, span }) => {
    const force = KEYS.get(annotationKey({ key }));
    return force === undefined || value === "" ? [] : [{ name: value, force, span }];
  });
}

/**
 * Explains that requests refer to each other in a cycle, so that none of them can be sent first.
 *
 * @param first The name that a request refers to.
 * @param next The names that the request of a name refers to.
 * @param done Names that need not be looked at again; those that were looked at are added.
 * @returns `undefined` if they do not.
 */
export function explainCycle(
  first: string,
  next: (name: string) => readonly string[],
  done: Set<string> = new Set(),
): Explanation | undefined {
  const path = new Set<string>();
  const todo = [first];
  // Not by recursion: a file of others may have a chain of any length.
  for (let name = todo.at(-1); name !== undefined; name = todo.at(-1)) {
    if (done.has(name) || path.delete(name)) {
      done.add(name);
      todo.pop();
      continue;
    }
    path.add(name);
    for (const other of next(name)) {
      if (!path.has(other)) {
        todo.push(other);
        continue;
      }
      for (const one of path) done.add(one);
      const cycle = [...path, other].join(" → ");
      return {
        message: `Cannot send "${first}" first: the requests refer to each other in a cycle, ${cycle}`,
        hint: "Remove one of the references",
      };
    }
  }
  return undefined;
}

/** Explains that a request has to be sent before its response can be used. */
export function explainUnsent(name: string): Explanation {
  return {
    message: `the request "${name}" has not been sent yet`,
    hint: `Run it first, or write "# @ref ${name}" above this request, which sends it`,
  };
}

/** Adds the file of an imported request to an error about its text. */
export function nameFile(error: unknown, { file }: Pick<RequestDraft, "file">): unknown {
  if (file === undefined || !isFaulty(error)) return error;
  const faults = error.faults.map((fault) => ({ ...fault, message: inFile(fault, file) }));
  return error instanceof UnresolvedPlaceholderError
    ? new UnresolvedPlaceholderError(error.source, faults)
    : new RequestCheckError(error.source, faults);
}

/** The message of a fault with its place in another file. */
export function inFile({ message, line, column }: Fault, file: string): string {
  return `${file}:${line}:${column}: ${message}`;
}

/** Whether an error has a source text and faults. */
export function isFaulty(error: unknown): error is Faulty {
  return error instanceof Error && "source" in error && "faults" in error;
}
