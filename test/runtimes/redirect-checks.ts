import assert from "node:assert/strict";
import { explore } from "../support/explore.ts";
import { type Check, checks } from "./check.ts";

/** How redirects are followed. */
export const redirectChecks: readonly Check[] = checks({
  async "send follows redirects hop by hop and keeps each with its status and class"({
    lib,
    base,
  }) {
    const exchange = await lib.createClient().send(`GET ${base}/hops/2#top`);
    assert.equal(exchange.text, "arrived");
    assert.equal(exchange.url, `${base}/hops/0#top`);
    assert.equal(exchange.request.url, `${base}/hops/2#top`);
    assert.deepEqual(
      exchange.redirects.map(({ url, status, statusClass, location }) => [
        url,
        status,
        statusClass,
        location,
      ]),
      [
        [`${base}/hops/2#top`, 302, "Redirection", "/hops/1"],
        [`${base}/hops/1#top`, 302, "Redirection", "/hops/0"],
      ],
    );
  },
  async "a redirect is followed although its body does not end"({ lib, base }) {
    const url = `${base}/pieces?p=slow&hang=1&to=/hops/0`;
    const exchange = await lib.createClient({ timeout: 0 }).send(`GET ${url}`);
    assert.deepEqual([exchange.text, exchange.redirects.length], ["arrived", 1]);
  },
  async "send changes method and body as the Fetch standard says"({ lib, base }) {
    const table = [
      ["POST", 301, "GET", ""],
      ["POST", 302, "GET", ""],
      ["POST", 303, "GET", ""],
      ["PUT", 303, "GET", ""],
      ["PUT", 301, "PUT", "data"],
      ["PUT", 302, "PUT", "data"],
      ["POST", 307, "POST", "data"],
      ["POST", 308, "POST", "data"],
    ] as const;
    for (const [method, status, then, body] of table) {
      const { json } = await lib
        .createClient()
        .send(
          `${method} ${base}/redirect/${status}?to=/echo\nContent-Type: text/plain\nX-Keep: 1\n\ndata`,
        );
      assert.equal(explore(json).method, then, `${method} ${status}`);
      assert.equal(explore(json).body, body);
      assert.equal(explore(json).headers["content-type"], body === "" ? undefined : "text/plain");
      assert.equal(explore(json).headers["x-keep"], "1");
    }
    const head = await lib.createClient().send(`HEAD ${base}/redirect/303?to=/echo`);
    assert.equal(head.status, 200);
    assert.equal(head.text, "");
  },
  async "send drops credentials when the origin changes, and only then"({ lib, base, other }) {
    const headers =
      "Authorization: Bearer x\nCookie: a=1\nProxy-Authorization: Basic eDp5\nX-Api-Key: k";
    const lab = lib.createClient();
    const same = await lab.send(`GET ${base}/redirect/302?to=/echo\n${headers}`);
    assert.equal(explore(same.json).headers.authorization, "Bearer x");
    assert.equal(explore(same.json).headers.cookie, "a=1");
    assert.deepEqual(same.warnings, []);
    const away = await lab.send(`GET ${base}/redirect/302?to=${other}/echo\n${headers}`);
    assert.equal(explore(away.json).headers.authorization, undefined);
    assert.equal(explore(away.json).headers.cookie, undefined);
    assert.equal(explore(away.json).headers["proxy-authorization"], undefined);
    assert.equal(explore(away.json).headers["x-api-key"], undefined);
    assert.match(
      away.warnings[0] ?? "",
      /another origin: Authorization, Cookie, Proxy-Authorization, X-Api-Key$/,
    );
  },
  async "send takes a Location that is relative, without a path or beyond ASCII"({ lib, base }) {
    const lab = lib.createClient();
    const follow = (to: string) =>
      lab.send(`GET ${base}/redirect/302?to=${encodeURIComponent(to)}`);
    assert.equal(explore((await follow("../echo?a=1")).json).url, "/echo?a=1");
    assert.equal(explore((await follow(`//${new URL(base).host}/echo`)).json).url, "/echo");
    assert.equal(explore((await follow("/echo?q=ü€")).json).url, "/echo?q=%C3%BC%E2%82%AC");
    assert.equal((await follow("/echo#there")).url, `${base}/echo#there`);
  },
  async "send gives the 3xx itself where its Location is missing or leads nowhere"({ lib, base }) {
    const lab = lib.createClient();
    const missing = await lab.send(`GET ${base}/redirect/302`);
    assert.equal(missing.status, 302);
    assert.deepEqual(missing.warnings, []);
    for (const to of ["http://[", "mailto:ada@example.com"]) {
      const exchange = await lab.send(`GET ${base}/redirect/302?to=${encodeURIComponent(to)}`);
      assert.equal(exchange.status, 302);
      assert.equal(exchange.text, "see there");
      assert.match(exchange.warnings[0] ?? "", /The redirect was not followed: its Location/);
    }
    assert.equal((await lab.send(`GET ${base}/status/304`)).status, 304);
    assert.equal((await lab.send(`GET ${base}/redirect/300?to=/echo`)).status, 300);
  },
  async "send gives the 3xx itself with redirect manual, and an error with redirect error"({
    lib,
    base,
  }) {
    const lab = lib.createClient({ redirect: "manual" });
    const manual = await lab.send(`GET ${base}/redirect/307?to=/echo`);
    assert.equal(manual.status, 307);
    assert.equal(manual.statusClass, "Redirection");
    assert.equal(manual.headers.get("location"), "/echo");
    assert.equal(manual.text, "see there");
    await assert.rejects(lab.send(`GET ${base}/hops/1`, { redirect: "error" }), {
      name: "NoResponseError",
      code: "redirected",
    });
  },
  async "send follows 20 redirects at most and then lists them"({ lib, base }) {
    const lab = lib.createClient();
    const exchange = await lab.send(`GET ${base}/hops/20`);
    assert.equal(exchange.redirects.length, 20);
    await assert.rejects(
      lab.send(`GET ${base}/hops/21`),
      (error: InstanceType<typeof lib.NoResponseError>) => {
        assert.equal(error.code, "too-many-redirects");
        assert.equal(error.redirects.length, 21);
        assert.match(
          error.message,
          /too many redirects \(more than 20\):\n {2}GET .*\/hops\/21 → 302 \/hops\/20\n/,
        );
        return true;
      },
    );
    await assert.rejects(lab.send(`GET ${base}/hops/2`, { maxRedirects: 1 }), /too many redirects/);
  },
});
