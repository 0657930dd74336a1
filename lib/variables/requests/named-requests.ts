import { type Explanation, nearNames, type SourceText } from "../../interpolation/mod.ts";
import { type NamedRequest, nameOf, scriptVariables } from "../../request/mod.ts";

/** The named requests that a client knows. */
export interface NamedRequests {
  /**
   * Adds requests. A later one replaces one of the same name, but a name goes before a title, and a
   * request of the text itself before one that it imports.
   */
  add(requests: readonly NamedRequest[]): void;
  /** Notes the variables that scripts of a text set, or would set if they were run. */
  noteScripts(text: SourceText, areRun: boolean): void;
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
    noteScripts: (text, areRun) => {
      const { explanations } = scriptVariables(text, areRun);
      for (const [name, reason] of explanations) scripts.set(name, reason);
    },
    explainScript: (name) => scripts.get(name),
    add: (added) => {
      for (const request of added) {
        const name = nameOf(request.draft);
        const before = name === undefined ? undefined : requests.get(name);
        if (name === undefined || (before !== undefined && rankOf(before) > rankOf(request))) {
          continue;
        }
        requests.set(name, request);
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

function rankOf({ draft }: NamedRequest): number {
  return (draft.name === undefined ? 0 : 2) + (draft.file === undefined ? 1 : 0);
}

/** Explains that the name in `# @ref name` is unknown. */
export function explainUnknown(name: string, known: Iterable<string>): Explanation {
  const near = nearNames(name, known);
  return {
    message: `Cannot send "${name}" first: no request with that name is known`,
    hint:
      near.length > 0
        ? `Did you mean "${near[0]}"?`
        : `Write "# @name ${name}" above that request, and run its cell or import its file`,
  };
}
