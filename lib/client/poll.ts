import { AssertionError, type Exchange, NoResponseError, noteTries } from "../exchange/mod.ts";
import { pause } from "../http/auth/mod.ts";
import type { SendOptions } from "../http/mod.ts";
import { writeTemplate } from "../interpolation/mod.ts";
import type { Polling, RequestDraft } from "../request/mod.ts";
import type { ClientContext } from "./client-session.ts";
import { sendDraft } from "./send-draft.ts";

/** Why there is no response for now. */
const PASSING: ReadonlySet<string> = new Set([
  "name-not-resolved",
  "refused",
  "reset",
  "timed-out",
  "cut-short",
  "unreachable",
]);

/**
 * Sends a request again until its assertions hold. Only the last response is passed on, whether they hold or not; all
 * are in the history. It is asked for values once, and rendered each time.
 */
export async function sendUntilPassed(
  draft: RequestDraft,
  { retries, interval }: Polling,
  sendOptions: SendOptions,
  context: ClientContext,
): Promise<Exchange | undefined> {
  const { prompter, inFlight } = context.session;
  const answers = new Map(await prompter.ask(draft));
  for (let tries = 1; ; tries++) {
    let last: Exchange | undefined;
    const onExchange = (exchange: Exchange): void => {
      last = exchange;
    };
    const report = (): void => {
      if (last === undefined) return;
      noteTries(last, tries, true);
      sendOptions.onExchange?.(last);
    };
    try {
      const asked = { answers, isConfirmed: tries > 1 };
      const exchange = await sendDraft(
        draft,
        { ...sendOptions, onExchange },
        context,
        undefined,
        asked,
      );
      report();
      return exchange;
    } catch (error) {
      if (tries > retries || !mayPass(error)) {
        report();
        if (last === undefined && tries > 1 && error instanceof NoResponseError)
          error.message += ` (sent ${tries} times)`;
        throw error;
      }
      // A recording has all responses already.
      const isReplayed = last?.hops.some((hop) => hop.isReplayed) === true;
      const flight = { method: draft.method, url: writeTemplate(draft.url), startedAt: new Date() };
      try {
        await inFlight.wait(flight, sendOptions.signal, (signal) =>
          pause(isReplayed ? 0 : interval, signal),
        );
      } catch (ended) {
        report();
        throw ended;
      }
      if (last !== undefined) noteTries(last, tries, false);
    }
  }
}

export function mayPass(error: unknown): boolean {
  if (error instanceof AssertionError) return true;
  return error instanceof NoResponseError && PASSING.has(error.code);
}
