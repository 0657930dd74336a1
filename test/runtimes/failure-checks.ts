import assert from "node:assert/strict";
import { type Check, type Context, checks } from "./check.ts";

type Failure = InstanceType<Context["lib"]["NoResponseError"]>;

async function failureOf({ lib }: Context, url: string, options = {}): Promise<Failure> {
  try {
    await lib.createClient().send(`GET ${url}`, options);
  } catch (error) {
    assert.ok(error instanceof lib.NoResponseError, String(error));
    assert.ok(!/\n\s+at /.test(error.message), "a message holds no stack");
    assert.equal(error.request.url, new URL(url).href);
    return error;
  }
  throw new assert.AssertionError({ message: `${url} gave an answer` });
}

/** What is said when no response comes. */
export const failureChecks: readonly Check[] = checks({
  async "an unknown host is said to be one"(context) {
    const error = await failureOf(context, "http://nosuch.invalid/");
    assert.equal(error.code, "name-not-resolved");
    assert.equal(
      error.message,
      'GET "http://nosuch.invalid/" got no response: the host name could not be resolved. Check the spelling of the host and the network',
    );
    assert.ok(error.cause instanceof Error);
  },
  async "a refused connection is said to be one"(context) {
    const error = await failureOf(context, context.closed);
    assert.equal(error.code, "refused");
    assert.equal(error.reason, "the connection was refused");
    assert.match(error.message, /the connection was refused. Check that the server is running/);
  },
  async "a connection that is closed before the response is said to be reset"(context) {
    for (const path of ["reset", "hang-up", "reset-in-headers"]) {
      const error = await failureOf(context, `${context.raw}/${path}`);
      assert.equal(error.code, "reset", path);
      assert.match(error.message, /the server closed the connection without a response/);
      assert.equal(error.partial, undefined);
    }
  },
  async "a body that breaks off is told with what came of it"(context) {
    for (const path of ["reset-in-body", "end-in-body"]) {
      const error = await failureOf(context, `${context.raw}/${path}`);
      assert.equal(error.code, "cut-short", path);
      assert.ok(
        error.message.includes(
          "got no complete response: the connection ended after 5 of 100 bytes",
        ),
        error.message,
      );
      assert.equal(error.partial?.text, "hello");
      assert.equal(error.partial?.status, 200);
      assert.equal(error.partial?.cut, true);
    }
    const chunked = await failureOf(context, `${context.raw}/end-in-chunks`);
    assert.equal(chunked.code, "cut-short");
    assert.match(chunked.message, /the connection ended after 5 bytes of the body/);
  },
  async "a compressed body that breaks off is an error"(context) {
    const bytes = Buffer.from(Array.from({ length: 2000 }, (_, index) => (index * 7919) % 251));
    const query = `hex=${bytes.toString("hex")}&encoding=gzip&short=1`;
    const error = await failureOf(context, `${context.base}/body?${query}`);
    assert.ok(["cut-short", "decompression"].includes(error.code), error.message);
  },
  async "what is not HTTP is said not to be"(context) {
    for (const path of ["no-http", "bad-header", "two-lengths"]) {
      const error = await failureOf(context, `${context.raw}/${path}`);
      assert.equal(error.code, "protocol", path);
      assert.match(error.message, /is not valid HTTP|is malformed|several headers/);
    }
  },
  async "a certificate that is not trusted is said to be one"(context) {
    const error = await failureOf(context, `${context.tls}/echo`);
    assert.equal(error.code, "certificate");
    assert.match(
      error.message,
      /certificate of the server is self-signed, and not trusted. Trust it: set/,
    );
    assert.match(error.message, /in a curl command write --cacert FILE, or -k/);
  },
  async "https to a server that speaks http is said to be that"(context) {
    const error = await failureOf(context, context.base.replace("http:", "https:"));
    assert.equal(error.code, "tls");
    assert.match(error.message, /or write http:\/\//);
  },
  async "a time-out before the headers says after how long"(context) {
    const error = await failureOf(context, `${context.base}/stall`, { timeout: 50 });
    assert.equal(error.code, "timed-out");
    assert.match(
      error.message,
      /timed out after 50 ms. Check that the server responds, or set a longer/,
    );
  },
  async "a time-out covers the body as well, and the redirects before it"(context) {
    const error = await failureOf(context, `${context.base}/stall-body`, { timeout: 300 });
    assert.equal(error.code, "timed-out");
    assert.match(error.message, /timed out after 300 ms, 5 of 10 bytes of the body in/);
    assert.equal(error.partial?.text, "hello");
    const later = await failureOf(context, `${context.base}/redirect/302?to=/stall`, {
      timeout: 300,
    });
    assert.equal(later.code, "timed-out");
    assert.match(later.message, /stall" \(after 1 redirect\) got no response/);
    assert.equal(later.redirects.length, 1);
  },
  async "a client has a time-out of its own, which a request may change"({ lib, base }) {
    const lab = lib.createClient({ timeout: 50 });
    await assert.rejects(lab.send(`GET ${base}/stall`), { code: "timed-out" });
    assert.equal((await lab.send(`GET ${base}/echo`, { timeout: 0 })).status, 200);
  },
  async "a signal aborts a request before and while it is sent, with its reason"(context) {
    const before = await failureOf(context, context.base, { signal: AbortSignal.abort() });
    assert.equal(before.code, "aborted");
    assert.match(before.message, /got no response: it was aborted$/);
    const controller = new AbortController();
    setTimeout(() => controller.abort(new Error("had enough")), 50);
    const during = await failureOf(context, `${context.base}/stall`, { signal: controller.signal });
    assert.equal(during.code, "aborted");
    assert.match(during.message, /it was aborted \(had enough\)/);
  },
  async "a message holds no secret"({ lib, closed }) {
    const lab = lib.createClient();
    lab.setVar("token", "s3 crét", { secret: true });
    await assert.rejects(lab.send(`GET ${closed}/?t={{token}}`), (error: Error) => {
      assert.match(error.message, /\?t=\{\{token\}\}" got no response: the connection was refused/);
      return true;
    });
    assert.equal(lab.secrets.mask("s3 crét"), "{{token}}");
  },
  async "abort ends everything on its way, also what would have followed"({ lib, base }) {
    const lab = lib.createClient();
    const all = lab.sendAll(`GET ${base}/stall\n\n###\nGET ${base}/echo`);
    const one = lab.send({ url: `${base}/stall-body` });
    const settled = Promise.allSettled([all, one]);
    await new Promise((resolve) => setTimeout(resolve, 50));
    assert.deepEqual(lab.pending.map(({ url }) => url).sort(), [
      `${base}/stall`,
      `${base}/stall-body`,
    ]);
    assert.equal(lab.abort("interrupted"), 2);
    for (const outcome of await settled) {
      assert.equal(outcome.status, "rejected");
      assert.equal(outcome.reason.code, "aborted");
      assert.match(outcome.reason.message, /\(interrupted\)/);
    }
    assert.equal(lab.pending.length, 0);
    assert.equal(lab.history.length, 0);
    assert.equal(lab.abort(), 0);
  },
});
