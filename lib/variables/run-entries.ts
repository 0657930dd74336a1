import type { Exchange } from "../exchange/mod.ts";
import { createFault } from "../interpolation/mod.ts";
import {
  type AssignmentDraft,
  type Entry,
  isDisabled,
  listName,
  nameOf,
  neededLines,
  placeholdersOf,
  type RequestDraft,
  RequestSyntaxError,
  referencesOf,
  type ScriptEntry,
} from "../request/mod.ts";
import { explainUnknown, type NamedRequests } from "./named-requests.ts";
import type { ResponseStore } from "./responses.ts";

/** What {@link runEntries} works with; the functions are given the options of the call. */
export interface EntryActions<Options> {
  readonly requests: NamedRequests;
  readonly responses: ResponseStore;
  /** Loads what requests from elsewhere need; for those of the text it has been called. */
  readonly prepare: (entries: readonly Entry[], options: Options) => Promise<void>;
  /** Whether the variable of a line before a request that is referred to has its value already. */
  readonly isSet: (entry: AssignmentDraft) => boolean;
  /** The requests that `# @loop` makes of a request. */
  readonly passes: (draft: RequestDraft) => readonly RequestDraft[];
  readonly assign: (entry: AssignmentDraft, options: Options) => Promise<void>;
  /** Runs a script that belongs to no single request. */
  readonly runScript: (entry: ScriptEntry, options: Options) => Promise<void>;
  /** Sends a request; `undefined` if one of its scripts has cancelled it. */
  readonly send: (draft: RequestDraft, options: Options) => Promise<Exchange | undefined>;
  /** Sends a request that another one refers to. */
  readonly sendReference: EntryActions<Options>["send"];
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
  let lines: AssignmentDraft[] = [];
  for (const entry of entries) {
    if (entry.kind === "assignment") {
      lines.push(entry);
      continue;
    }
    if (entry.kind === "script") {
      for (const line of lines) await actions.assign(line, options);
      lines = [];
      await actions.runScript(entry, options);
      continue;
    }
    const { early, late } = sortLines(lines, entry);
    lines = [];
    for (const line of early) await actions.assign(line, options);
    const isSent = !isDisabled(entry) && !(entry.unlessAnswered && isAnswered(entry, actions));
    if (isSent || late.length > 0) await sendReferences(entry, actions, options, []);
    for (const line of late) await actions.assign(line, options);
    if (isSent) exchanges.push(...(await sendPasses(entry, actions, options)));
  }
  for (const line of lines) await actions.assign(line, options);
  return exchanges;
}

/**
 * Divides the variable lines before a request: those that use the responses of requests that it refers to are set
 * after these are sent. The order of lines that depend on each other stays.
 */
function sortLines(
  lines: readonly AssignmentDraft[],
  request: RequestDraft,
): Readonly<Record<"early" | "late", readonly AssignmentDraft[]>> {
  const waiting = new Set(referencesOf(request).flatMap(({ name }) => [name, listName(name)]));
  const early: AssignmentDraft[] = [];
  const late: AssignmentDraft[] = [];
  for (const line of lines) {
    const names = [line.name, ...placeholdersOf(line).map(({ name }) => name)];
    const isEarly = !names.some((name) => waiting.has(name));
    (isEarly ? early : late).push(line);
    if (!isEarly) for (const name of names) waiting.add(name);
  }
  return { early, late };
}

async function sendPasses<Options>(
  draft: RequestDraft,
  { passes, send, responses }: EntryActions<Options>,
  options: Options,
): Promise<readonly Exchange[]> {
  const exchanges: Exchange[] = [];
  const drafts = passes(draft);
  for (const pass of drafts) {
    const exchange = await send(pass, options);
    if (exchange !== undefined) exchanges.push(exchange);
  }
  const name = nameOf(draft);
  if (drafts[0] !== draft && name !== undefined) responses.addPasses(name, exchanges);
  return exchanges;
}

/** Whether a request has a response that is not an error. */
function isAnswered<Options>(
  request: Pick<RequestDraft, "name" | "title">,
  { responses }: EntryActions<Options>,
): boolean {
  const answer = responses.get(nameOf(request) ?? "");
  return answer !== undefined && answer.status < 400;
}

async function sendReferences<Options>(
  draft: RequestDraft,
  actions: EntryActions<Options>,
  options: Options,
  path: readonly string[],
): Promise<void> {
  for (const { name, force, span } of referencesOf(draft)) {
    if (!force && isAnswered({ name }, actions)) continue;
    const fail = (message: string, hint = ""): never => {
      const fault = createFault(draft, span, message, hint);
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
    const lines = neededLines(named).filter((line) => !actions.isSet(line));
    await actions.prepare([...lines, named.draft], options);
    for (const line of lines) await actions.assign(line, options);
    await sendPasses(named.draft, { ...actions, send: actions.sendReference }, options);
  }
}
