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

/** What {@link runEntries} works with; the functions are given the options of the call. */
export interface EntryActions<Options> {
  readonly requests: NamedRequests;
  readonly responses: ResponseStore;
  /** Loads what requests from elsewhere need; for those of the text it has been called. */
  readonly prepare: (entries: readonly Entry[], options: Options) => Promise<void>;
  readonly hasVariable: (name: string) => boolean;
  readonly assign: (entry: AssignmentDraft, options: Options) => Promise<void>;
  readonly send: (draft: RequestDraft, options: Options) => Promise<Exchange>;
}

/**
 * Runs variable lines and requests in order, each request after those that it refers to.
 *
 * `# @ref name` first sends a request that has no response, or an error response; `# @forceRef name`
 * always sends it. The variable lines before a request may use the responses that it refers to.
 *
 * @returns The exchanges of the requests in the text itself.
 * @throws {RequestSyntaxError} A reference names no known request, or references are circular.
 */
export async function runEntries<Options>(
  entries: readonly Entry[],
  actions: EntryActions<Options>,
  options: Options,
): Promise<Exchange[]> {
  const exchanges: Exchange[] = [];
  /** The last request whose references were sent: before its variable lines, or before itself. */
  let referred: RequestDraft | undefined;
  const refer = async (draft: RequestDraft | undefined): Promise<void> => {
    if (draft === undefined || referred === draft) return;
    referred = draft;
    await sendReferences(draft, actions, options, []);
  };
  for (const [index, entry] of entries.entries()) {
    if (entry.kind === "assignment") {
      await refer(entries.slice(index).find((it) => it.kind === "request"));
      await actions.assign(entry, options);
    } else if (!isDisabled(entry)) {
      await refer(entry);
      exchanges.push(await actions.send(entry, options));
    }
  }
  return exchanges;
}

/** The variable lines before a request whose values it uses, directly or through other lines. */
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
  path: readonly string[],
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
    if (path.includes(name)) {
      const cycle = [...path, name].join(" → ");
      return fail(
        `Cannot send "${name}" first: the requests refer to each other in a cycle, ${cycle}`,
        "Remove one of the references",
      );
    }
    await sendReferences(named.draft, actions, options, [...path, name]);
    const lines = neededLines(named).filter((line) => !actions.hasVariable(line.name));
    await actions.prepare([...lines, named.draft], options);
    for (const line of lines) await actions.assign(line, options);
    await actions.send(named.draft, options);
  }
}
