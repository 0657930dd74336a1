import assert from "node:assert/strict";
import type { Exchange, PaginationError } from "../../lib/mod.ts";
import { explore } from "../support/explore.ts";
import { type Check, checks } from "./check.ts";

async function idsOf(items: AsyncIterable<{ id: number }>): Promise<number[]> {
  const ids: number[] = [];
  for await (const { id } of items) ids.push(id);
  return ids;
}

/** Listings in pages, and many requests at once. */
export const manyChecks: readonly Check[] = checks({
  async "a callback that throws ends the whole call: nothing more is sent"({ lib, base }) {
    const lab = lib.createClient();
    const urls = Array.from({ length: 6 }, (_, index) => `GET ${base}/status/200?n=${index}`);
    let calls = 0;
    const onResult = (): void => {
      calls += 1;
      if (calls === 1) throw new Error("the callback failed");
    };
    const running = lab.all(urls, { concurrency: 2, onResult });
    await assert.rejects(running, { message: "the callback failed" });
    await lab.send(`GET ${base}/status/200?n=last`);
    while (lab.pending.length > 0) await new Promise((resolve) => setTimeout(resolve, 5));
    assert.ok(lab.history.length <= 3, `${lab.history.length} requests were sent`);
  },
  async "pages follow the Link header, a cursor, an offset, a page number or a function"({
    lib,
    base,
  }) {
    const lab = lib.createClient();
    const five = [1, 2, 3, 4, 5];
    const link = lab.paginate(`GET ${base}/pages/link`);
    assert.deepEqual(await idsOf(link.items()), five);
    assert.deepEqual([link.count, link.ended], [3, "end"]);
    const cursor = { by: "cursor", path: "paging.next", parameter: "cursor" } as const;
    assert.deepEqual(
      await idsOf(
        lab.paginate(`GET ${base}/pages/cursor`, cursor, { items: "data.items" }).items(),
      ),
      five,
    );
    const offset = { by: "offset", size: 2, sizeParameter: "size" } as const;
    const pages = await lab.paginate(`GET ${base}/pages/offset?x=%20a`, offset).all();
    assert.deepEqual(
      pages.map(({ request }) => new URL(request.url).search),
      ["?x=%20a&size=2&offset=0", "?x=%20a&size=2&offset=2", "?x=%20a&size=2&offset=4"],
    );
    const page = { by: "page", parameter: "page" } as const;
    assert.deepEqual(await idsOf(lab.paginate({ url: `${base}/pages/link` }, page).items()), five);
    const own = lab.paginate(`GET ${base}/pages/offset?offset=0`, ({ url, json }) =>
      explore(json).length < 2 ? undefined : url.replace(/\d+$/, (n) => String(Number(n) + 2)),
    );
    assert.deepEqual(await idsOf(own.items()), five);
  },
  async "a server that gives fewer than were asked for is asked on, and one that ignores the count is told"({
    lib,
    base,
  }) {
    const lab = lib.createClient();
    const offset = { by: "offset", size: 100 } as const;
    const capped = lab.paginate(`GET ${base}/pages/offset`, offset);
    assert.deepEqual(await idsOf(capped.items()), [1, 2, 3, 4, 5]);
    assert.deepEqual([capped.count, capped.ended], [3, "end"]);
    const single = lab.paginate(`GET ${base}/pages/offset?total=1`, offset);
    assert.deepEqual(await idsOf(single.items()), [1]);
    assert.deepEqual([single.count, single.ended], [2, "end"]);
    for (const strategy of [
      { by: "offset", size: 2, parameter: "skip" },
      { by: "page", parameter: "skip" },
    ] as const) {
      const pages = lab.paginate(`GET ${base}/pages/offset`, strategy);
      await assert.rejects(pages.all(), {
        name: "PaginationError",
        message:
          'Cannot continue after page 2: it equals the page before: the server ignores "skip"',
      });
      assert.deepEqual([pages.count, pages.ended], [2, "failed"]);
    }
  },
  async "a listing that says how long it is costs no request for its end"({ lib, base }) {
    const lab = lib.createClient();
    const count = async (
      query: string,
      strategy: Parameters<typeof lab.paginate>[1],
    ): Promise<readonly number[]> => {
      const pages = lab.paginate(`GET ${base}/pages/offset?${query}`, strategy);
      return [(await idsOf(pages.items())).length, pages.count];
    };
    const by = (size: number, total?: string) =>
      ({ by: "offset", size, sizeParameter: "size", ...(total ? { total } : {}) }) as const;
    const capped = { by: "offset", size: 100 } as const;
    for (const [query, strategy, expected] of [
      // Unknown: a full page may be the last, and a short first one a limit of the server.
      ["total=4", by(2), [4, 3]],
      ["total=1", capped, [1, 2]],
      // Said by headers, or at a path.
      ["total=4&says=header", by(2), [4, 2]],
      ["total=4&says=range", by(2), [4, 2]],
      ["total=4&says=field", by(2, "meta.total"), [4, 2]],
      ["total=1&says=header", capped, [1, 1]],
      ["total=5&says=header", capped, [5, 3]],
      // A field of the name is believed only where the page is short.
      ["total=4&says=field", by(2), [4, 3]],
      ["total=1&says=field", capped, [1, 1]],
      ["total=5&says=field", capped, [5, 3]],
    ] as const) {
      assert.deepEqual(
        await count(query, strategy),
        expected,
        `${query} ${JSON.stringify(strategy)}`,
      );
    }
    const page = `GET ${base}/pages/page?total=4`;
    const told = lab.paginate(`${page}&says=header`, { by: "page" });
    assert.deepEqual([(await idsOf(told.items())).length, told.count], [4, 2]);
    const untold = lab.paginate(page, { by: "page" });
    assert.deepEqual([(await idsOf(untold.items())).length, untold.count], [4, 3]);
    await assert.rejects(
      lab.paginate(`GET ${base}/pages/offset?says=field`, by(2, "meta")).all(),
      /^PaginationError: Cannot continue after page 1: "meta" of the response is not a number of items$/,
    );
  },
  async "what came before a page that fails is in the error, whatever it fails by"({ lib, base }) {
    const lab = lib.createClient();
    const failure = async (pages: { all(): Promise<unknown> }): Promise<PaginationError> => {
      const error: unknown = await pages.all().catch((thrown) => thrown);
      assert.ok(error instanceof lib.PaginationError, String(error));
      return error;
    };
    const idsBefore = ({ pages }: PaginationError): unknown[] =>
      pages.map(({ json }) => explore(json).map(({ id }: { id: number }) => id));
    const refused = await failure(lab.paginate(`GET ${base}/pages/link?fail=3`));
    assert.deepEqual([refused.page, refused.exchange?.status], [3, 500]);
    assert.deepEqual(idsBefore(refused), [
      [1, 2],
      [3, 4],
    ]);
    const offset = { by: "offset", size: 2, sizeParameter: "size" } as const;
    const dropped = await failure(lab.paginate(`GET ${base}/pages/offset?drop=2`, offset));
    assert.deepEqual(
      [dropped.page, dropped.exchange, idsBefore(dropped)],
      [2, undefined, [[1, 2]]],
    );
    assert.match(dropped.message, /^Cannot fetch page 2: GET ".*offset=2" got no response: /);
    assert.equal((dropped.cause as Error).name, "NoResponseError");
    const round = await failure(lab.paginate(`GET ${base}/pages/loop`));
    assert.equal(round.pages.length, 2);
    const first = lab.paginate(`GET ${base}/pages/offset?drop=0`, offset);
    await assert.rejects(first.all(), { name: "NoResponseError" });
    assert.deepEqual([first.count, first.ended], [0, "failed"]);
  },
  async "pages are fetched as they are asked for, up to the limits"({ lib, base }) {
    const lab = lib.createClient();
    const few = lab.paginate(`GET ${base}/pages/link`, "link", { maxPages: 2 });
    assert.equal((await few.all()).length, 2);
    assert.equal(few.ended, "max-pages");
    const three = lab.paginate(`GET ${base}/pages/link`, "link", { maxItems: 3 });
    assert.deepEqual(await idsOf(three.items()), [1, 2, 3]);
    assert.deepEqual([three.count, three.ended], [2, "max-items"]);
    const left = lab.paginate(`GET ${base}/pages/link`);
    assert.equal(left.ended, undefined);
    assert.equal(
      `${left}`,
      "pages: none fetched yet; loop over it or over its items(), or await its all()",
    );
    for await (const exchange of left) {
      assert.equal(explore(exchange.json).length, 2);
      break;
    }
    assert.deepEqual([left.count, left.ended], [1, "left"]);
    assert.deepEqual(left[lib.jupyterDisplay](), {
      "text/plain": 'pages: 1 fetched, ended by "left"',
    });
  },
  async "a page that fails is handed out and then thrown, never taken for the end"({ lib, base }) {
    const lab = lib.createClient();
    const pages = lab.paginate(`GET ${base}/pages/link?fail=2`);
    const statuses: number[] = [];
    await assert.rejects(
      async () => {
        for await (const { status } of pages) statuses.push(status);
      },
      (error: Error & { page?: number; exchange?: { status: number } }) => {
        assert.equal(error.name, "PaginationError");
        assert.match(error.message, /^Cannot read page 2 of the listing: GET ".*" returned 500/);
        assert.deepEqual([error.page, error.exchange?.status], [2, 500]);
        return true;
      },
    );
    assert.deepEqual([statuses, pages.ended], [[200, 500], "failed"]);
    const items = lab.paginate(`GET ${base}/pages/link?fail=2`);
    await assert.rejects(idsOf(items.items()), /Cannot read page 2/);
  },
  async "a listing that goes round, or has no items, says so"({ lib, base }) {
    const lab = lib.createClient();
    await assert.rejects(
      lab.paginate(`GET ${base}/pages/loop`).all(),
      /Cannot continue after page 2: the next page ".*" has already been fetched/,
    );
    await assert.rejects(
      idsOf(lab.paginate(`GET ${base}/pages/cursor`).items()),
      /the response has no list: set the option items to the path of the list, such as "data"/,
    );
    await assert.rejects(
      idsOf(lab.paginate(`GET ${base}/pages/link`, "link", { items: "data" }).items()),
      /"data" of the response is not a list/,
    );
    assert.throws(() => lab.paginate(`GET ${base}/`, { by: "offset", size: 0 }), TypeError);
    assert.throws(() => lab.paginate(`GET ${base}/`, { by: "x" } as never), /Cannot paginate by/);
    for (const name of ["maxPages", "maxItems"]) {
      assert.throws(() => lab.paginate(`GET ${base}/`, "link", { [name]: Number.NaN }), {
        name: "TypeError",
        message: `Cannot use NaN as ${name}: it is not a number of at least 0`,
      });
    }
  },
  async "each page of a text with an assertion is reported once it is checked, and fails as its own"({
    lib,
    base,
  }) {
    const lab = lib.createClient();
    const reported: unknown[] = [];
    const onExchange = ({ status, assertions }: Exchange): void => {
      reported.push([status, assertions.map(({ passed }) => passed)]);
    };
    const first = `GET ${base}/pages/link\n\n?? body length == 2`;
    const pages = lab.paginate(first, "link", { onExchange });
    const error = await pages.all().catch((thrown: PaginationError) => thrown);
    assert.ok(error instanceof lib.PaginationError);
    assert.match(error.message, /^Cannot fetch page 3: /);
    assert.deepEqual(reported, [
      [200, [true]],
      [200, [true]],
      [200, [false]],
    ]);
  },
  async "a page of another origin gets no credentials"({ lib, base, other }) {
    const lab = lib.createClient();
    const first = `GET ${base}/echo\nAuthorization: Bearer t0ken\nX-Kept: yes`;
    const pages = lab.paginate(first, ({ url }) =>
      url.startsWith(base) ? `${other}/echo` : undefined,
    );
    const [, second] = await pages.all();
    assert.equal(explore(second?.json).headers.authorization, undefined);
    assert.equal(explore(second?.json).headers["x-kept"], "yes");
  },
  async "all sends so many at once, and gives each its result in order"({ lib, base, closed }) {
    const lab = lib.createClient();
    const progress: string[] = [];
    let most = 0;
    const results = await lab.all(
      [
        `GET ${base}/pieces?p=a&ms=60`,
        `GET ${base}/status/404`,
        `GET ${closed}/lost`,
        { url: `${base}/echo`, json: { a: 1 } },
      ],
      {
        concurrency: 2,
        onProgress: ({ done, total, failed, running }) => {
          most = Math.max(most, running, lab.pending.length);
          progress.push(`${done}/${total} ${failed}`);
        },
      },
    );
    assert.equal(most, 2);
    assert.equal(progress.at(-1), "4/4 2");
    assert.deepEqual(
      results.results.map(({ n, state, ok }) => [n, state, ok]),
      [
        [1, "answered", true],
        [2, "answered", false],
        [3, "failed", false],
        [4, "answered", true],
      ],
    );
    assert.equal(results.ok, false);
    assert.equal(results.exchanges.length, 3);
    assert.deepEqual(
      results.failed.map(({ n }) => n),
      [2, 3],
    );
    assert.equal(results.summary, "4 requests: 2 ok, 1 with another status, 1 without a response");
    const [, , lost] = results.toJSON();
    assert.deepEqual([lost?.method, lost?.url], ["GET", `${closed}/lost`]);
    assert.match(lost?.error ?? "", /the connection was refused/);
    assert.match(String(results), /^4 requests: 2 ok/);
    const shown = results[lib.jupyterDisplay]();
    assert.match(String(shown["text/html"]), /<table/);
  },
  async "all refuses one text, and shows what is no request as a failure"({ lib, base }) {
    const lab = lib.createClient();
    await assert.rejects(lab.all(`GET ${base}/echo`), {
      name: "TypeError",
      message: "Cannot send the characters of a string: pass a list of requests",
    });
    assert.equal(lab.history.length, 0);
    const results = await lab.all([undefined, null, 7] as never);
    assert.match(String(results), /^3 requests: 3 without a response/);
    assert.match(results.toJSON()[0]?.error ?? "", /^Cannot send undefined: a request text/);
  },
  async "all stops at a failure where it is asked to, and says what was not sent"({ lib, base }) {
    const lab = lib.createClient();
    const requests = [200, 500, 200, 200].map((status) => `GET ${base}/status/${status}`);
    const results = await lab.all(requests, { concurrency: 1, stopOnError: true });
    assert.deepEqual(
      results.results.map(({ state, reason }) => reason ?? state),
      ["answered", "answered", "request 2 failed", "request 2 failed"],
    );
    assert.equal(results.summary, "4 requests: 1 ok, 1 with another status, 2 not sent");
    assert.match(String(results), /not sent: request 2 failed/);
  },
  async "an abort ends all of them, and nothing is sent afterwards"({ lib, base }) {
    const lab = lib.createClient();
    const requests = Array.from({ length: 5 }, () => `GET ${base}/stall`);
    const all = lab.all(requests, { concurrency: 2 });
    await new Promise((resolve) => setTimeout(resolve, 50));
    assert.equal(lab.abort(), 2);
    const results = await all;
    assert.equal(results.summary, "5 requests: 2 without a response, 3 not sent");
  },
  async "what is wrong with one request is its failure, and none is an empty table"({ lib, base }) {
    const lab = lib.createClient();
    lab.setVar("token", "hush-hush-1", { secret: true });
    const results = await lab.all([`GET ${base}/{{nosuch}}`, `GET ${base}/echo?t={{token}}`]);
    assert.deepEqual(
      results.results.map(({ state }) => state),
      ["failed", "answered"],
    );
    assert.match(results.toJSON()[0]?.error ?? "", /nosuch/);
    assert.ok(!JSON.stringify(results).includes("hush-hush-1"));
    assert.ok(!String(results).includes("hush-hush-1"));
    const none = await lab.all([]);
    assert.deepEqual([none.length, none.ok, none.summary], [0, true, "0 requests"]);
    await assert.rejects(lab.all([], { concurrency: 0 }), /Cannot use 0 as concurrency/);
  },
});
