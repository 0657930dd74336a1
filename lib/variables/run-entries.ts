import type { Exchange } from "../exchange/mod.ts";
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
import { explainUnknown, type NamedRequest, type NamedRequests } from "./named-requests.ts";
import type { ResponseStore } from "./responses.ts";

/** What running the entries of a text is done with; each is given the options of the call. */
export interface EntryActions<Options> {
  readonly requests: NamedRequests;
  readonly responses: ResponseStore;
  /** Loads what requests need that stand elsewhere; those of the text have it already. */
  readonly prepare: (entries: readonly Entry[], options: Options) => Promise<void> | undefined;
  readonly hasVariable: (name: string) => boolean;
  readonly assign: (entry: AssignmentDraft, options: Options) => void;
  readonly send: (draft: RequestDraft, options: Options) => Promise<Exchange>;
}

/**
 * Runs variable lines and requests in order, each request after those that it refers to.
 *
 * `# @ref name` sends a request first whose answer is not there, or is an error's; `# @forceRef
 * name` sends it in any case. The lines before a request may use the answers that it refers to.
 *
 * @returns The exchanges of the text's own requests.
 */
export async function runEntries<Options>(
  entries: readonly Entry[],
  actions: EntryActions<Options>,
  options: Options,
): Promise<Exchange[]> {
  const exchanges: Exchange[] = [];
  /** The request whose references have been sent: lines and requests come in order. */
  let referred: RequestDraft | undefined;
  const refer = (draft: RequestDraft | undefined): Promise<void> | undefined => {
    if (draft === undefined || referencesOf(draft).length === 0 || referred === draft) return;
    referred = draft;
    return sendReferences(draft, actions, options, []);
  };
  let next = 0;
  for (const entry of entries) {
    next += 1;
    if (entry.kind === "assignment") {
      await refer(entries.slice(next).find((it) => it.kind === "request"));
      actions.assign(entry, options);
    } else if (!isDisabled(entry)) {
      const before = refer(entry);
      if (before !== undefined) await before;
      exchanges.push(await actions.send(entry, options));
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

async function sendReferences<Options>(
  draft: RequestDraft,
  actions: EntryActions<Options>,
  options: Options,
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
    await sendReferences(named.draft, actions, options, [...way, name]);
    const lines = neededLines(named).filter((line) => !actions.hasVariable(line.name));
    await actions.prepare([...lines, named.draft], options);
    for (const line of lines) actions.assign(line, options);
    await actions.send(named.draft, options);
  }
}
