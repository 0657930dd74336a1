import type { Hop } from "./redirect.ts";

/** Notes something that a person is to read beside the answer. */
export type Tell = (warning: string) => void;

/** Something that every hop of a request passes: cookies, credentials. */
export interface HopStep {
  /** What the hop goes out with; the request of a redirect is built from what came in here. */
  prepare(hop: Hop, tell: Tell): Hop | Promise<Hop>;
  /** Looks at an answer, be it the final one or not. */
  receive?(hop: Hop, response: Response, tell: Tell): void | Promise<void>;
  /** Gives what is to be sent in place of a hop that was refused; asked once for each hop. */
  answer?(hop: Hop, response: Response, tell: Tell): Promise<Hop | undefined>;
}

/** A hop as it went out, and what came back. */
export interface Answered {
  readonly hop: Hop;
  readonly response: Response;
}

/** Sends a hop through its steps. */
export async function sendThrough(
  bare: Hop,
  steps: readonly HopStep[],
  send: (hop: Hop) => Promise<Response>,
  tell: Tell,
): Promise<Answered> {
  let hop = bare;
  for (const step of steps) {
    const prepared = step.prepare(hop, tell);
    hop = prepared instanceof Promise ? await prepared : prepared;
  }
  let response = await send(hop);
  await receive();
  for (const step of steps) {
    const next = await step.answer?.(hop, response, tell);
    if (next === undefined) continue;
    // What is not read would keep the connection.
    response.body?.cancel().catch(() => undefined);
    hop = next;
    response = await send(hop);
    await receive();
  }
  return { hop, response };

  async function receive(): Promise<void> {
    for (const step of steps) {
      const waiting = step.receive?.(hop, response, tell);
      if (waiting !== undefined) await waiting;
    }
  }
}

/** A hop with a header in place of one of that name. */
export function withHeader(hop: Hop, name: string, value: string): Hop {
  const lower = name.toLowerCase();
  const others = hop.headers.filter(([other]) => other.toLowerCase() !== lower);
  return { ...hop, headers: [...others, [name, value]] };
}
