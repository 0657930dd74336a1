import { createFault } from "../interpolation/mod.ts";
import {
  type AssignmentDraft,
  type Entry,
  isDisabled,
  placeholdersOf,
  type RequestDraft,
  RequestSyntaxError,
  referencesOf,
} from "../request/mod.ts";
import type { Exchange } from "./exchange.ts";
import type { ResponseStore } from "./responses.ts";
import { explainUnknown, type NamedRequest, type NamedRequests } from "./scopes-requests.ts";

/** What running the entries of a text is done with. */
export interface EntryActions {
  readonly requests: NamedRequests;
  readonly responses: ResponseStore;
  /** Loads what requests need that stand elsewhere; those of the text have it already. */
  readonly prepare: (entries: readonly Entry[]) => Promise<void> | undefined;
  readonly hasVariable: (name: string) => boolean;
  readonly assign: (entry: AssignmentDraft) => void;
  readonly send: (draft: RequestDraft) => Promise<Exchange>;
}

/**
 * Runs variable lines and requests in order, each request after those that it refers to.
 *
 * `# @ref name` sends a request first whose answer is not there, or is an error's; `# @forceRef
 * name` sends it in any case. The lines before a request may use the answers that it refers to.
 *
 * @returns The exchanges of the text's own requests.
 */
export async function runEntries(
  entries: readonly Entry[],
  actions: EntryActions,
): Promise<Exchange[]> {
  const exchanges: Exchange[] = [];
  const referred = new Set<RequestDraft>();
  const refer = (draft: RequestDraft | undefined): Promise<void> | undefined => {
    if (draft === undefined || referencesOf(draft).length === 0 || referred.has(draft)) return;
    referred.add(draft);
    return sendReferences(draft, actions, []);
  };
  for (const [index, entry] of entries.entries()) {
    if (entry.kind === "assignment") {
      await refer(entries.slice(index).find((it) => it.kind === "request"));
      actions.assign(entry);
    } else if (!isDisabled(entry)) {
      const before = refer(entry);
      if (before !== undefined) await before;
      exchanges.push(await actions.send(entry));
    }
  }
  return exchanges;
}

/** The variable lines before a request that it takes values from, themselves or through others. */
function neededLines({ draft, before }: NamedRequest): readonly AssignmentDraft[] {
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

async function sendReferences(
  draft: RequestDraft,
  actions: EntryActions,
  way: readonly string[],
): Promise<void> {
  for (const { name, force, span } of referencesOf(draft)) {
    const answer = actions.responses.get(name);
    if (!force && answer !== undefined && answer.status < 400) continue;
    const fail = (message: string, hint = ""): never => {
      const fault = createFault(draft.source, span, message, hint);
      throw new RequestSyntaxError(draft.source, [fault]);
    };
    const named = actions.requests.get(name);
    if (named === undefined) {
      const { message, hint } = explainUnknown(name, actions.requests.names());
      return fail(message, hint);
    }
    if (way.includes(name)) {
      const circle = [...way, name].join(" → ");
      return fail(
        `Cannot send "${name}" first: the requests refer to each other in a circle, ${circle}`,
        "Take one of the references out",
      );
    }
    await sendReferences(named.draft, actions, [...way, name]);
    const lines = neededLines(named).filter((line) => !actions.hasVariable(line.name));
    await actions.prepare([...lines, named.draft]);
    for (const line of lines) actions.assign(line);
    await actions.send(named.draft);
  }
}
