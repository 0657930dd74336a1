import { type Explanation, nearNames } from "../interpolation/mod.ts";
import {
  type AssignmentDraft,
  type Entry,
  type RequestDraft,
  scriptVariables,
} from "../request/mod.ts";

/** A request with a name, and the variable lines before it in its text. */
export interface NamedRequest {
  readonly draft: RequestDraft;
  readonly before: readonly AssignmentDraft[];
}

/** The named requests that a client knows. */
export interface NamedRequests {
  /** Adds the named requests of a text; a later one replaces one of the same name. */
  add(entries: readonly Entry[]): void;
  /** Notes the variables that scripts of a text would set. */
  noteScripts(text: string): void;
  /** Explains that a script would set a variable. */
  explainScript(name: string): Explanation | undefined;
  get(name: string): NamedRequest | undefined;
  names(): Iterable<string>;
  clear(): void;
}

/** Creates an empty list of named requests. */
export function createNamedRequests(): NamedRequests {
  const requests = new Map<string, NamedRequest>();
  const scripts = new Map<string, Explanation>();
  return {
    noteScripts: (text) => {
      for (const [name, reason] of scriptVariables(text).explanations) scripts.set(name, reason);
    },
    explainScript: (name) => scripts.get(name),
    add: (entries) => {
      const before: AssignmentDraft[] = [];
      for (const entry of entries) {
        if (entry.kind === "assignment") before.push(entry);
        else if (entry.name !== undefined) {
          requests.set(entry.name, { draft: entry, before: [...before] });
        }
      }
    },
    get: (name) => requests.get(name),
    names: () => requests.keys(),
    clear: () => {
      requests.clear();
      scripts.clear();
    },
  };
}

/** Explains that the name in `# @ref name` is unknown. */
export function explainUnknown(name: string, known: Iterable<string>): Explanation {
  const near = nearNames(name, known);
  return {
    message: `Cannot send "${name}" first: no request with that name is known`,
    hint:
      near.length > 0
        ? `Did you mean "${near[0]}"?`
        : `Write "# @name ${name}" above that request, and run its cell or file`,
  };
}
