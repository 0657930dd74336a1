import type { HeaderList, SentRequest } from "./exchange.ts";
import type { Hop } from "./hop.ts";
import type { ResponseMessage } from "./message.ts";
import { drainBody } from "./read-body.ts";

/** Notes something that a person is to read beside the answer. */
export type Tell = (warning: string) => void;

/** Something that every hop of a request passes: cookies, credentials. */
export interface HopStep {
  /** What the hop goes out with; the request of a redirect is built from what came in here. */
  prepare(hop: Hop, tell: Tell): Hop | Promise<Hop>;
  /** Looks at an answer, be it the final one or not. */
  receive?(hop: Hop, response: Pick<Response, "headers">, tell: Tell): void | Promise<void>;
  /** Gives what is to be sent in place of a hop that was refused; asked once for each hop. */
  answer?(hop: Hop, response: ResponseMessage, tell: Tell): Promise<Hop | undefined>;
}

/** A hop as it went out, and what came back. */
export interface Answered {
  readonly hop: Hop;
  readonly response: ResponseMessage;
}

/** A hop as it goes out, after its steps; no promise where none of them has to wait. */
export function prepareHop(bare: Hop, steps: readonly HopStep[], tell: Tell): Hop | Promise<Hop> {
  let hop = bare;
  let count = 0;
  for (const step of steps) {
    count += 1;
    const prepared = step.prepare(hop, tell);
    if (prepared instanceof Promise) return prepareOthers(prepared, steps.slice(count), tell);
    hop = prepared;
  }
  return hop;
}

async function prepareOthers(
  prepared: Promise<Hop>,
  others: readonly HopStep[],
  tell: Tell,
): Promise<Hop> {
  return await prepareHop(await prepared, others, tell);
}

/** Shows an answer to the steps, which may send another hop in its place. */
export function receiveHop(
  answered: Answered,
  steps: readonly HopStep[],
  send: (hop: Hop) => Promise<ResponseMessage>,
  tell: Tell,
): Answered | Promise<Answered> {
  const waiting: Promise<void>[] = [];
  let mayAnswer = false;
  for (const step of steps) {
    if (step.answer !== undefined) mayAnswer = true;
    const promise = step.receive?.(answered.hop, answered.response, tell);
    if (promise !== undefined) waiting.push(promise);
  }
  if (waiting.length === 0 && !mayAnswer) return answered;
  return Promise.all(waiting).then(() => askSteps(answered, steps, send, tell));
}

async function askSteps(
  first: Answered,
  steps: readonly HopStep[],
  send: (hop: Hop) => Promise<ResponseMessage>,
  tell: Tell,
): Promise<Answered> {
  let { hop, response } = first;
  for (const step of steps) {
    const next = await step.answer?.(hop, response, tell);
    if (next === undefined) continue;
    void drainBody(response);
    hop = next;
    response = await send(hop);
    for (const other of steps) await other.receive?.(hop, response, tell);
  }
  return { hop, response };
}

/** A hop with a header in place of one of that name. */
export function withHeader(hop: Hop, name: string, value: string): Hop {
  const lower = name.toLowerCase();
  const others = hop.headers.filter(([other]) => other.toLowerCase() !== lower);
  return { ...hop, headers: [...others, [name, value]] };
}

/** The request as it went out, with what the steps added and without what they left out. */
export function asDressed(sent: SentRequest, hop: Hop): SentRequest {
  if (hop.headers === sent.headers && hop.url.href === sent.url) return sent;
  const known = lowerNames(sent.headers);
  const left = lowerNames(hop.headers);
  const kept = sent.added.filter((name) => left.has(name.toLowerCase()));
  const added = hop.headers.map(([name]) => name).filter((it) => !known.has(it.toLowerCase()));
  return { ...sent, url: hop.url.href, headers: hop.headers, added: [...kept, ...added] };
}

function lowerNames(headers: HeaderList): ReadonlySet<string> {
  return new Set(headers.map(([name]) => name.toLowerCase()));
}
