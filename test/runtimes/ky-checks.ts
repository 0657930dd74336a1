import assert from "node:assert/strict";
import type { KyOptions } from "../../lib/mod.ts";
import { explore } from "../support/explore.ts";
import { type Check, checks } from "./check.ts";

/** Options of ky that a person gives, with ky's own meaning. */
export const kyChecks: readonly Check[] = checks({
  async "a beforeRequest hook changes the request that the server receives"({ lib, base }) {
    const beforeRequest = (request: Request): void => {
      assert.equal(request.method, "GET");
      request.headers.set("X-Hook", "set");
      request.headers.set("X-Changed", "after");
      request.headers.delete("X-Gone");
    };
    const lab = lib.createClient({ ky: { hooks: { beforeRequest: [beforeRequest] } } });
    const { json, request } = await lab.send(
      `GET ${base}/echo\nX-Changed: before\nX-Gone: yes\nX-Kept: café`,
    );
    assert.equal(explore(json).headers["x-hook"], "set");
    assert.equal(explore(json).headers["x-changed"], "after");
    assert.equal(explore(json).headers["x-gone"], undefined);
    assert.deepEqual(
      [...request.headers],
      [
        ["X-Kept", "café"],
        ["X-Changed", "after"],
        ["x-hook", "set"],
      ],
    );
    assert.deepEqual([...request.added], ["x-hook"]);
  },
  async "a hook that waits for its own turn behind the request ends with the timeout"({
    lib,
    base,
  }) {
    const lab = lib.createClient({ concurrency: 1 });
    const inner: Promise<unknown>[] = [];
    const beforeRequest = async (): Promise<void> => {
      inner.push(lab.send(`GET ${base}/status/200`, { ky: { hooks: {} } }));
      await inner[0];
    };
    const ky = { hooks: { beforeRequest: [beforeRequest] } };
    await assert.rejects(lab.send(`GET ${base}/echo`, { timeout: 100, ky }), { code: "timed-out" });
    await inner[0];
    assert.equal(lab.pending.length, 0);
  },
  async "a beforeRequest hook may give another request: method, URL and body"({ lib, base }) {
    const beforeRequest = async (request: Request): Promise<Request> =>
      new Request(`${request.url}?by=hook`, {
        method: "PUT",
        body: `${await request.text()} and more`,
      });
    const lab = lib.createClient({ ky: { hooks: { beforeRequest: [beforeRequest] } } });
    const { json, request } = await lab.send(`POST ${base}/echo\nContent-Type: text/plain\n\nsome`);
    assert.equal(explore(json).method, "PUT");
    assert.equal(explore(json).url, "/echo?by=hook");
    assert.equal(explore(json).body, "some and more");
    assert.equal(request.method, "PUT");
    assert.equal(request.url, `${base}/echo?by=hook`);
    assert.equal(new TextDecoder().decode(request.body as Uint8Array), "some and more");
  },
  async "an afterResponse hook sees the real answer, and may give another one"({ lib, base }) {
    const seen: unknown[] = [];
    const look = async (request: Request, _options: unknown, response: Response) => {
      seen.push([request.method, response.status, response.url, await response.text()]);
    };
    const replace = () => new Response("another", { status: 418, statusText: "Teapot" });
    const url = `${base}/redirect/302?to=${encodeURIComponent("/body?hex=6869&type=text/plain")}`;
    const lab = lib.createClient({ ky: { hooks: { afterResponse: [look] } } });
    const exchange = await lab.send(`GET ${url}`);
    assert.equal(exchange.text, "hi");
    assert.equal(exchange.redirects.length, 1);
    assert.deepEqual(seen, [["GET", 200, `${base}/body?hex=6869&type=text/plain`, "hi"]]);
    const other = await lab.send(`GET ${url}`, { ky: { hooks: { afterResponse: [replace] } } });
    assert.deepEqual([other.status, other.statusText, other.text], [418, "Teapot", "another"]);
    assert.equal(seen.length, 2, "the hooks of the client hold as well");
  },
  async "a beforeRetry hook is called on a real 503, and retry of ky has its meaning"({
    lib,
    base,
  }) {
    const seen: unknown[] = [];
    const hooks: KyOptions["hooks"] = {
      beforeRetry: [
        async ({ error, retryCount, request }) => {
          const { response } = error as unknown as { readonly response: Response };
          seen.push([response.status, await response.text(), retryCount]);
          request.headers.set("X-Attempt", String(retryCount));
        },
      ],
    };
    const ky: KyOptions = { hooks, retry: { limit: 2, delay: () => 1 } };
    const lab = lib.createClient({ ky });
    const exchange = await lab.send(`GET ${base}/flaky/${Math.random()}`);
    assert.deepEqual([exchange.status, exchange.text], [200, "2"]);
    assert.deepEqual(seen, [[503, "1", 1]]);
    assert.deepEqual([...exchange.notes], ["Sent 2 times: 503, then 200"]);
    assert.deepEqual([...exchange.request.headers], [["x-attempt", "1"]]);
    const once = await lab.send(`GET ${base}/flaky/${Math.random()}`, { retry: 0 });
    assert.equal(once.status, 503, "the option retry goes before ky's");
    const last = await lab.send(`GET ${base}/status/503`, { ky: { retry: 1 } });
    assert.equal(last.status, 503, "and no status is an error in the end");
  },
  async "a hook may stop the attempts, or have one more"({ lib, base }) {
    const { default: ky } = await import("ky");
    const stopping: KyOptions = {
      hooks: { beforeRetry: [() => ky.stop] },
      retry: { delay: () => 1 },
    };
    const stopped = await lib
      .createClient({ ky: stopping })
      .send(`GET ${base}/flaky/${Math.random()}`);
    assert.deepEqual([stopped.status, stopped.text], [503, "1"]);
    const again = (_request: Request, _options: unknown, response: Response) =>
      response.status === 503 ? ky.retry({ delay: 1 }) : undefined;
    const forced = await lib
      .createClient({ ky: { hooks: { afterResponse: [again] }, retry: 1 } })
      .send(`POST ${base}/flaky/${Math.random()}`);
    assert.deepEqual([forced.status, forced.text], [200, "2"]);
  },
  async "a fetch of one's own carries everything: redirects, attempts, uploads, cookies"({
    lib,
    base,
  }) {
    const seen: string[] = [];
    const own = async (input: RequestInfo | URL, init?: RequestInit): Promise<Response> => {
      assert.ok(input instanceof Request);
      seen.push(`${input.method} ${new URL(input.url).pathname}`);
      return await fetch(input, init);
    };
    for (const options of [{ fetch: own }, { ky: { fetch: own } }]) {
      seen.length = 0;
      const lab = lib.createClient({ ...options, retry: { limit: 1, delay: 1 } });
      await lab.send(`GET ${base}/redirect/302?to=/echo`);
      await lab.send(`GET ${base}/flaky/own`, { retry: { limit: 1, delay: 1 } });
      const posted = await lab.send({
        method: "POST",
        url: `${base}/echo`,
        body: new Blob(["from ", "a blob"]),
      });
      assert.equal(explore(posted.json).body, "from a blob");
      assert.deepEqual(seen.slice(0, 3), ["GET /redirect/302", "GET /echo", "GET /flaky/own"]);
      assert.equal(seen.at(-1), "POST /echo");
    }
  },
  async "hooks are added by extend and by send"({ lib, base }) {
    const mark = (name: string): KyOptions => ({
      hooks: {
        beforeRequest: [
          ({ headers }) => headers.set("X-Marks", `${headers.get("X-Marks") ?? ""}${name}`),
        ],
      },
    });
    const lab = lib.createClient({ ky: mark("a") });
    const api = lab.extend({ ky: mark("b") });
    const { json } = await api.send(`GET ${base}/echo`, { ky: mark("c") });
    assert.equal(explore(json).headers["x-marks"], "abc");
    assert.equal(explore((await lab.send(`GET ${base}/echo`)).json).headers["x-marks"], "a");
    const context = { ky: { context: { name: "lab" } } };
    const reading: KyOptions = {
      hooks: {
        beforeRequest: [
          ({ headers }, { context: { name } }) => headers.set("X-Name", String(name)),
        ],
      },
    };
    const named = await lib.createClient(context).send(`GET ${base}/echo`, { ky: reading });
    assert.equal(explore(named.json).headers["x-name"], "lab");
  },
  async "a hook that answers itself sends nothing, and the exchange says so"({ lib, base }) {
    const beforeRequest = () => Response.json({ by: "hook" }, { status: 201 });
    const lab = lib.createClient({ ky: { hooks: { beforeRequest: [beforeRequest] } } });
    const exchange = await lab.send(`GET ${base}/unreachable\nX-A: 1`);
    assert.deepEqual([exchange.status, exchange.json], [201, { by: "hook" }]);
    assert.equal(exchange.url, `${base}/unreachable`);
    assert.deepEqual([...exchange.request.headers], [["X-A", "1"]]);
    assert.deepEqual(
      [...exchange.warnings],
      ["Nothing was sent: a beforeRequest hook returned the response"],
    );
  },
  async "a hook that throws is an error that says so, with what it threw"({ lib, base }) {
    const boom = new RangeError("boom");
    for (const name of ["beforeRequest", "afterResponse"] as const) {
      const fail = () => {
        throw boom;
      };
      const lab = lib.createClient({ ky: { hooks: { [name]: [fail] } } });
      await assert.rejects(lab.send(`GET ${base}/echo`), (error: unknown) => {
        assert.ok(error instanceof lib.NoResponseError);
        assert.equal(error.code, "hook");
        assert.equal(error.cause, boom);
        assert.match(
          error.message,
          /got no response: a function among the options ky and retry failed, boom/,
        );
        return true;
      });
      assert.equal(lab.pending.length, 0);
    }
  },
  async "nor is the status that a hook met with ky itself taken for the answer"({ lib, base }) {
    const { default: ky } = await import("ky");
    const beforeRequest = async (): Promise<void> => {
      await ky(`${base}/status/401`, { retry: 0 });
    };
    const lab = lib.createClient({ ky: { hooks: { beforeRequest: [beforeRequest] } } });
    await assert.rejects(lab.send(`GET ${base}/echo`), { code: "hook" });
  },
  async "what a hook adds is masked by the names of its headers"({ lib, base }) {
    const beforeRequest = ({ headers }: Request): void =>
      headers.set("Authorization", "Bearer hooked-token-1234");
    const lab = lib.createClient({ ky: { hooks: { beforeRequest: [beforeRequest] } } });
    const exchange = await lab.send(`GET ${base}/echo`);
    assert.equal(explore(exchange.json).headers.authorization, "Bearer hooked-token-1234");
    assert.ok(!String(exchange).includes("hooked-token"), String(exchange));
    assert.ok(!exchange.toCurl().includes("hooked-token"));
  },
  async "what a hook adds goes to no other origin than the one of the request"({
    lib,
    base,
    other,
  }) {
    const beforeRequest = ({ headers }: Request): void =>
      headers.set("Authorization", "Bearer hooked-token-1234");
    const lab = lib.createClient({ ky: { hooks: { beforeRequest: [beforeRequest] } } });
    const to = encodeURIComponent(`${other}/echo`);
    const exchange = await lab.send(`GET ${base}/redirect/302?to=${to}`);
    assert.equal(explore(exchange.json).headers.authorization, undefined);
    assert.match(exchange.warnings.join("\n"), /Not sent on to .*authorization/i);
  },
  async "nor does a body that a hook puts in, where it holds a secret"({ lib, base, other }) {
    const beforeRequest = (request: Request): Request =>
      new Request(request, { body: '{"password": "hooked-pass-1234"}' });
    const lab = lib.createClient({ ky: { hooks: { beforeRequest: [beforeRequest] } } });
    const to = encodeURIComponent(`${other}/echo`);
    const text = `POST ${base}/redirect/307?to=${to}\nContent-Type: application/json\n\n{}`;
    const kept = await lab.send(text);
    assert.equal(kept.status, 307);
    assert.match(
      kept.warnings.join("\n"),
      /The redirect was not followed: its body contains secrets/,
    );
    const sent = await lab.send(text, { crossOriginBody: true });
    assert.equal(explore(sent.json).body, '{"password": "hooked-pass-1234"}');
  },
  async "a header whose value is the word undefined is sent"({ lib, base }) {
    const { json } = await lib.createClient().send(`GET ${base}/echo\nX-Id: undefined`);
    assert.equal(explore(json).headers["x-id"], "undefined");
  },
  "options that the client decides are refused, with what to use instead"({ lib }) {
    const refused: readonly [object, RegExp][] = [
      [{ timeout: 5 }, /Cannot use the option ky\.timeout: .*option timeout/],
      [{ throwHttpErrors: false }, /ky\.throwHttpErrors: .*no status is an error/],
      [{ prefixUrl: "http://a.test" }, /ky\.prefixUrl: .*\{\{base\}\}/],
      [{ json: {} }, /ky\.json/],
      [{ hooks: { beforeRequest: () => undefined } }, /ky\.hooks\.beforeRequest: it is not a list/],
    ];
    for (const [ky, message] of refused) {
      assert.throws(() => lib.createClient({ ky } as object), message);
      assert.throws(() => lib.createClient().extend({ ky } as object), message);
    }
    assert.throws(
      () => lib.createClient({ ky: 3 } as object),
      /Cannot use 3 as ky: it is not an object/,
    );
  },
});
