import assert from "node:assert/strict";
import { type Check, checks } from "../../check.ts";

const set = (site: string, ...cookies: readonly string[]): string =>
  `GET ${site}/set?${cookies.map((one) => `cookie=${encodeURIComponent(one)}`).join("&")}`;

/** Cookies against real servers. */
export const cookieChecks: readonly Check[] = checks({
  async "cookies are stored, sent where they match, and taken from redirects"({
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
  async "a Cookie header in the request replaces the stored cookie of that name"({ lib, site }) {
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
  async "cookies can be shown without their values, set and cleared"({ lib, site }) {
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
  async "a rejected cookie is a warning"({ lib, site }) {
    const { warnings } = await lib.createClient().send(set(site, "a=1; Domain=example.com"));
    assert.match(warnings[0] ?? "", /^The cookie "a" was rejected: /);
  },
});
