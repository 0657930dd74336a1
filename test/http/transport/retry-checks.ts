import assert from "node:assert/strict";
import type { RetryOptions, RetryState } from "../../../lib/mod.ts";
import { explore } from "../../support/explore.ts";
import { type Check, checks } from "../check.ts";

/** Retries, concurrency and rate. */
export const retryChecks: readonly Check[] = checks({
  async "a retried request succeeds, and the exchange lists the attempts"({ lib, site }) {
    const lab = lib.createClient({ retry: { limit: 3, delay: 5 } });
    const exchange = await lab.send(`GET ${site}/retry/a?fail=503,0`);
    assert.equal(exchange.status, 200);
    const note = exchange.notes.find((it) => it.startsWith("Sent "));
    assert.match(note ?? "", /^Sent [23] times: 503, (?:then no response, )?then 200$/);
    const last = await lab.send(`GET ${site}/retry/b?fail=500,500,500,500`);
    assert.equal(last.status, 500);
    assert.deepEqual(last.notes, ["Sent 4 times: 500, then 500, then 500, then 500"]);
    assert.equal((await lib.createClient().send(`GET ${site}/retry/c?fail=503`)).status, 503);
  },
  async "a POST and other statuses are retried only when the options say so"({ lib, site }) {
    const lab = lib.createClient({ retry: { limit: 1, delay: 1 } });
    assert.equal((await lab.send(`POST ${site}/retry/d?fail=503\n\nx`)).status, 503);
    assert.equal((await lab.send(`GET ${site}/retry/e?fail=409`)).status, 409);
    const more = { retry: { limit: 1, delay: 1, methods: ["POST"], statuses: [409] } };
    assert.equal((await lab.send(`POST ${site}/retry/f?fail=409\n\nx`, more)).status, 200);
    assert.equal((await lab.send(`# @retry 1\nGET ${site}/retry/g?fail=503`)).status, 200);
  },
  async "a delay of 0 retries at once"({ lib, site }) {
    const lab = lib.createClient({ retry: { limit: 1, delay: 0 } });
    assert.equal((await lab.send(`GET ${site}/retry/l?fail=503`)).status, 200);
  },
  async "functions decide about a retry and its delay"({ lib, site }) {
    const seen: unknown[] = [];
    const delay = (retryCount: number): number => {
      seen.push(retryCount);
      return 1;
    };
    const shouldRetry = ({ response, retryCount }: RetryState): boolean | undefined => {
      seen.push(`${retryCount}: ${response?.status}`);
      return response?.status === 409 ? true : undefined;
    };
    const lab = lib.createClient({ retry: { limit: 2, delay, shouldRetry } });
    assert.equal((await lab.send(`GET ${site}/retry/j?fail=409,503`)).status, 200);
    assert.deepEqual(seen, ["1: 409", 1, "2: 503", 2]);
    const never = { retry: { limit: 2, delay: 1, shouldRetry: async () => false } };
    assert.equal((await lab.send(`GET ${site}/retry/k?fail=503`, never)).status, 503);
    const broken = (retry: RetryOptions): Promise<unknown> =>
      lab.send(`GET ${site}/retry/${seen.push("")}?fail=503`, { retry }).catch((error) => error);
    const fails = (): never => {
      throw new Error("no luck");
    };
    for (const retry of [{ shouldRetry: fails }, { delay: fails }]) {
      assert.match(
        String(await broken(retry)),
        /a function among the options ky and retry failed, no luck/,
      );
    }
    assert.match(
      String(await broken({ delay: () => Number.NaN })),
      /Cannot use NaN as retry.delay/,
    );
  },
  async "a retry waits for Retry-After, up to a limit"({ lib, site }) {
    const lab = lib.createClient({ retry: { limit: 1, delay: 1 } });
    const waited = await lab.send(`GET ${site}/retry/h?fail=429&after=1`);
    assert.equal(waited.status, 200);
    assert.ok(explore(waited.json)[1] >= 900, `${waited.json}`);
    const impatient = { retry: { limit: 1, delay: 1, maxRetryAfter: 100 } };
    const given = await lab.send(`GET ${site}/retry/i?fail=429&after=3600`, impatient);
    assert.equal(given.status, 429);
  },
  async "a Retry-After beyond the time limit is the answer, and an unreadable one is none"({
    lib,
    site,
  }) {
    const lab = lib.createClient({ retry: { limit: 1, delay: 1 }, timeout: 20_000 });
    for (const after of ["86400", "Fri, 01 Jan 2100 00:00:00 GMT"]) {
      const url = `${site}/retry/${encodeURIComponent(after)}?fail=429&after=${encodeURIComponent(after)}`;
      const given = await lab.send({ url });
      assert.equal(given.status, 429);
      assert.match(given.warnings.join(), /^Not sent again: the server asks to wait \d+ s/);
    }
    for (const after of ["soon", "-", "1 minute"]) {
      const url = `${site}/retry/${encodeURIComponent(after)}?fail=429&after=${encodeURIComponent(after)}`;
      const given = await lab.send({ url });
      assert.deepEqual([given.status, given.warnings], [200, []], after);
    }
  },
  async "concurrency limits how many requests run, in the order of sending"({ lib, site }) {
    await lib.createClient().send(`GET ${site}/most`);
    const lab = lib.createClient({ concurrency: 2 });
    const order: number[] = [];
    await Promise.all(
      [1, 2, 3, 4, 5].map(async (number) => {
        await lab.send(`GET ${site}/slow`);
        order.push(number);
      }),
    );
    assert.equal((await lab.send(`GET ${site}/most`)).text, "2");
    assert.deepEqual(order.toSorted(), [1, 2, 3, 4, 5]);
  },
  async "rate limits how many requests start, and the wait does not count toward the timeout"({
    lib,
    site,
  }) {
    const lab = lib.createClient({ rate: { requests: 2, per: 1_500 }, timeout: 2_500 });
    const start = performance.now();
    const all = await Promise.all([1, 2, 3, 4, 5].map(() => lab.send(`GET ${site}/show`)));
    assert.ok(all.every(({ ok }) => ok));
    assert.ok(performance.now() - start >= 2_990, "five requests take two further spans");
  },
  async "a rate below one is one request in a longer time"({ lib, site }) {
    const lab = lib.createClient({ rate: { requests: 0.5, per: 150 } });
    const start = performance.now();
    await Promise.all([1, 2].map(() => lab.send(`GET ${site}/show`)));
    assert.ok(performance.now() - start >= 290, "the second starts after 300 ms");
  },
  async "a request that waits for its turn is pending and can be aborted"({ lib, site }) {
    const lab = lib.createClient({ concurrency: 1 });
    const first = lab.send(`GET ${site}/slow`);
    const second = lab.send(`GET ${site}/slow`);
    const ends = Promise.allSettled([first, second]);
    await new Promise((resolve) => setTimeout(resolve, 5));
    assert.equal(lab.pending.length, 2);
    lab.abort();
    const codes = (await ends).map((end) => (end.status === "rejected" ? end.reason.code : "sent"));
    assert.deepEqual(codes, ["aborted", "aborted"]);
    assert.equal((await lab.send(`GET ${site}/show`)).status, 200);
  },
});
