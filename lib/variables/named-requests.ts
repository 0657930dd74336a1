import { type Explanation, nearNames } from "../interpolation/mod.ts";
import type { AssignmentDraft, Entry, RequestDraft } from "../request/mod.ts";

/** A request that has a name, and the variable lines that stand before it in its text. */
export interface NamedRequest {
  readonly draft: RequestDraft;
  readonly before: readonly AssignmentDraft[];
}

/** The named requests that a client has met. */
export interface NamedRequests {
  /** Takes note of the named requests of a text; a later one of the same name counts. */
  add(entries: readonly Entry[]): void;
  get(name: string): NamedRequest | undefined;
  names(): Iterable<string>;
  clear(): void;
}

/** Creates an empty list of named requests. */
export function createNamedRequests(): NamedRequests {
  const requests = new Map<string, NamedRequest>();
  return {
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
    clear: () => requests.clear(),
  };
}

/** Says that a request has to be run before its answer can be used. */
export function explainUnsent(name: string): Explanation {
  return {
    message: `the request "${name}" has not been sent yet`,
    hint: `Run it first, or write "# @ref ${name}" above this request, which sends it`,
  };
}

/** Says that a name in `# @ref name` is that of no request. */
export function explainUnknown(name: string, known: Iterable<string>): Explanation {
  const near = nearNames(name, known);
  return {
    message: `Cannot send "${name}" first: no request of that name is known`,
    hint:
      near.length > 0
        ? `Did you mean "${near[0]}"?`
        : `Write "# @name ${name}" above the request that is meant, and run its cell or file`,
  };
}
