import assert from "node:assert/strict";
import { type Check, checks } from "./check.ts";

const set = (site: string, ...cookies: readonly string[]): string =>
  `GET ${site}/set?${cookies.map((one) => `cookie=${encodeURIComponent(one)}`).join("&")}`;

/** Cookies, retries, limits, extended clients. */
export const clientChecks: readonly Check[] = checks({
  async "cookies are kept and sent where they belong, also those of a redirect"({
    lib,
    site,
    other,
  }) {
    const lab = lib.createClient();
    assert.equal((await lab.send(`GET ${site}/show`)).text, "none");
    const login = await lab.send(`GET ${site}/login`);
    assert.equal(login.text, "sid=abc");
    const { request } = await lab.send(`GET ${site}/show`);
    assert.deepEqual(request.headers, [["Cookie", "sid=abc"]]);
    assert.deepEqual(request.added, ["Cookie"]);
    // RFC 6265: a port separates nothing.
    assert.equal((await lab.send(`GET ${other}/show`)).text, "sid=abc");
    await lab.send(set(site, "deep=1; Path=/deep", "gone=1; Max-Age=0", "sid=def; Path=/"));
    assert.equal((await lab.send(`GET ${site}/show`)).text, "sid=def");
    assert.deepEqual(
      lab.cookies.all().map(({ name, path }) => [name, path]),
      [
        ["sid", "/"],
        ["deep", "/deep"],
      ].sort(() => (lab.cookies.all()[0]?.name === "sid" ? 0 : -1)),
    );
  },
  async "a written Cookie goes before the kept one of its name"({ lib, site }) {
    const lab = lib.createClient();
    await lab.send(set(site, "a=1; Path=/", "b=2; Path=/"));
    assert.equal((await lab.send(`GET ${site}/show\nCookie: a=mine`)).text, "a=mine; b=2");
  },
  async "cookies are off by option, by # @no-cookie-jar and for one send"({ lib, site }) {
    const lab = lib.createClient();
    await lab.send(set(site, "a=1; Path=/"));
    assert.equal((await lab.send(`# @no-cookie-jar\nGET ${site}/show`)).text, "none");
    assert.equal((await lab.send(`GET ${site}/show`, { cookies: false })).text, "none");
    const off = lib.createClient({ cookies: false });
    await off.send(set(site, "a=1"));
    assert.equal(off.cookies.size, 0);
  },
  async "cookies are shown without their values, set, and cleared"({ lib, site }) {
    const lab = lib.createClient();
    await lab.send(set(site, "sid=verysecretvalue; Path=/"));
    const shown = String(
      (lab.cookies as unknown as Record<symbol, () => object>)[lib.jupyterDisplay]?.()[
        "text/plain" as never
      ],
    );
    assert.match(shown, /sid/);
    assert.doesNotMatch(shown, /verysecretvalue/);
    await lab.cookies.set("http://example.test/", "x=1; Path=/");
    assert.deepEqual(
      lab.cookies.of("http://example.test/a").map(({ name, value }) => `${name}=${value}`),
      ["x=1"],
    );
    await assert.rejects(lab.cookies.set("http://example.test/", "x=1; Domain=other.test"), {
      name: "TypeError",
      message: /^Cannot set the cookie "x" for "http:\/\/example.test\/"/,
    });
    assert.equal(lab.cookies.clear("127.0.0.1"), 1);
    assert.equal(lab.cookies.clear(), 1);
    assert.equal(lab.cookies.size, 0);
  },
  async "a cookie that may not be set is told"({ lib, site }) {
    const { warnings } = await lib.createClient().send(set(site, "a=1; Domain=example.com"));
    assert.match(warnings[0] ?? "", /^The cookie "a" was rejected: /);
  },
  async "a request is tried again when asked for, and the exchange says so"({ lib, site }) {
    const lab = lib.createClient({ retry: { limit: 3, delay: 5 } });
    const exchange = await lab.send(`GET ${site}/retry/a?fail=503,0`);
    assert.equal(exchange.status, 200);
    // Deno and Bun repeat by themselves what failed on a connection that was used before.
    assert.match(
      exchange.warnings[0] ?? "",
      /^Sent [23] times: 503, (?:then no answer, )?then 200$/,
    );
    const last = await lab.send(`GET ${site}/retry/b?fail=500,500,500,500`);
    assert.equal(last.status, 500);
    assert.deepEqual(last.warnings, ["Sent 4 times: 500, then 500, then 500, then 500"]);
    assert.equal((await lib.createClient().send(`GET ${site}/retry/c?fail=503`)).status, 503);
  },
  async "a POST and other statuses are tried again only where that is said"({ lib, site }) {
    const lab = lib.createClient({ retry: { limit: 1, delay: 1 } });
    assert.equal((await lab.send(`POST ${site}/retry/d?fail=503\n\nx`)).status, 503);
    assert.equal((await lab.send(`GET ${site}/retry/e?fail=409`)).status, 409);
    const more = { retry: { limit: 1, delay: 1, methods: ["POST"], statuses: [409] } };
    assert.equal((await lab.send(`POST ${site}/retry/f?fail=409\n\nx`, more)).status, 200);
    assert.equal((await lab.send(`# @retry 1\nGET ${site}/retry/g?fail=503`)).status, 200);
  },
  async "Retry-After is waited for, up to a limit"({ lib, site }) {
    const lab = lib.createClient({ retry: { limit: 1, delay: 1 } });
    const waited = await lab.send(`GET ${site}/retry/h?fail=429&after=1`);
    assert.equal(waited.status, 200);
    assert.ok(waited.json[1] >= 900, `${waited.json}`);
    const impatient = { retry: { limit: 1, delay: 1, maxRetryAfter: 100 } };
    const given = await lab.send(`GET ${site}/retry/i?fail=429&after=3600`, impatient);
    assert.equal(given.status, 429);
  },
  async "concurrency bounds what is on the way, in the order of sending"({ lib, site }) {
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
  async "rate bounds how many begin, and waiting counts for no time limit"({ lib, site }) {
    const lab = lib.createClient({ rate: { requests: 2, per: 300 }, timeout: 250 });
    const start = performance.now();
    const all = await Promise.all([1, 2, 3, 4, 5].map(() => lab.send(`GET ${site}/show`)));
    assert.ok(all.every(({ ok }) => ok));
    assert.ok(performance.now() - start >= 590, "five requests take two further spans");
  },
  async "what waits for its turn is pending, and abort ends it"({ lib, site }) {
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
  async "extend shares everything but defaults"({ lib, base, site }) {
    const lab = lib.createClient({ headers: { "X-A": "1", "X-B": "1" } });
    const api = lab.extend({ headers: { "x-b": "2" }, redirect: "manual" });
    lab.setVar("base", base);
    const { json } = await api.send("GET {{base}}/echo");
    assert.equal(json.headers["x-a"], "1");
    assert.equal(json.headers["x-b"], "2");
    assert.equal((await api.send("GET {{base}}/hops/1")).status, 302);
    assert.equal((await lab.send("GET {{base}}/hops/1")).status, 200);
    assert.equal(lab.history.length, 3);
    assert.equal(lab.last, api.last);
    await api.send(`GET ${site}/login`, { redirect: "follow" });
    assert.equal((await lab.send(`GET ${site}/show`)).text, "sid=abc");
    const pending = api.send(`GET ${base}/stall`);
    const end = pending.catch((error) => error.code);
    await new Promise((resolve) => setTimeout(resolve, 10));
    assert.equal(lab.abort(), 1);
    assert.equal(await end, "aborted");
    assert.throws(() => lab.extend({ concurrency: 0 }), /Cannot use 0 as concurrency/);
  },
  async "annotations of the peers are taken: # @no-redirect and # @timeout"({ lib, base }) {
    const lab = lib.createClient();
    assert.equal((await lab.send(`# @no-redirect\nGET ${base}/hops/1`)).status, 302);
    await assert.rejects(lab.send(`# @timeout 30 ms\nGET ${base}/stall`), { code: "timed-out" });
    await assert.rejects(lab.send(`# @timeout soon\nGET ${base}/stall`), {
      name: "TypeError",
      message: 'Cannot use "soon" as "# @timeout": it is not a time such as 5, 500 ms, 5 s or 1 m',
    });
  },
});
