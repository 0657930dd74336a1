import { findAnnotation } from "./annotations.ts";
import type { Annotation, AssignmentDraft, Entry, RequestDraft, RequestText } from "./draft.ts";
import { placeholdersOf } from "./templates.ts";

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
  return placeholdersOf(entry).map(({ name }) => name);
}
