import assert from "node:assert/strict";
import { createServer } from "node:net";
import { join } from "node:path";
import process from "node:process";
import { createClient as createPackagedClient } from "../../kernel/library.ts";
import {
  type Client,
  type ClientOptions,
  createClient as createPlainClient,
  type SocketOptions,
} from "../../lib/mod.ts";
import { type Check, type Context, checks } from "../http/check.ts";
import { say, withRawServer } from "../http/transport/raw-server.ts";
import { explore } from "../support/explore.ts";

const toSocket = (base: string): string => base.replace(/^http/, "ws");

/** What the server saw of the handshake. */
async function greeting(
  { lib, outside }: Context,
  base: string,
  options: ClientOptions = {},
  socketOptions: SocketOptions = {},
  before: (lab: Client) => Promise<void> | void = () => undefined,
): Promise<Readonly<Record<string, unknown>>> {
  const lab = lib.createClient({ ...outside, ...options });
  await before(lab);
  const socket = await lab.websocket(`${toSocket(base)}/greet`, socketOptions);
  const first = await socket.next();
  await socket.close();
  return first?.json as Readonly<Record<string, unknown>>;
}

/** WebSockets: what goes out with their handshake, and the way that it takes. */
export const handshakeChecks: readonly Check[] = checks({
  async "a handshake sends the cookies of the client, unless cookies is false"(context) {
    const { base } = context;
    const before = async (lab: Client): Promise<void> => {
      await lab.cookies.set(`${base}/`, "sid=abc-123; Path=/");
    };
    const headers = { Cookie: "own=1" };
    const first = await greeting(context, base, {}, { headers }, before);
    assert.equal(first["cookie"], "own=1; sid=abc-123");
    assert.equal((await greeting(context, base, {}, {}, before))["cookie"], "sid=abc-123");
    const none = await greeting(context, base, {}, { cookies: false }, before);
    assert.equal(none["cookie"], undefined);
  },
  async "a handshake has the Host that is written"({ lib, outside }) {
    const answer = say("HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n");
    await withRawServer(answer, async ({ url, heard }) => {
      const address = toSocket(url.href);
      await lib
        .createClient(outside)
        .send(`WEBSOCKET ${address}\nHost: other.test\nconstructor: 1`);
      assert.match(heard.join(""), /^host: other\.test\r$/im);
      assert.equal(heard.join("").match(/^host:/gim)?.length, 1);
      assert.match(heard.join(""), /^constructor: 1\r$/m);
    });
  },
  async "a client of the package opens one without any option"({ base }) {
    const socket = await createPackagedClient().websocket(`${toSocket(base)}/greet`);
    assert.equal(typeof (await socket.next())?.json, "object");
    await socket.close();
  },
  async "a handshake sends the credentials of the client, including tokens"(context) {
    const { base, issuer, lib, outside } = context;
    const basic = { type: "basic", username: "ada", password: "pa:ss" } as const;
    const known = `Basic ${btoa("ada:pa:ss")}`;
    assert.equal((await greeting(context, base, { auth: basic }))["authorization"], known);
    assert.equal((await greeting(context, base, {}, { auth: basic }))["authorization"], known);
    const none = await greeting(context, base, { auth: basic }, { auth: false });
    assert.equal(none["authorization"], undefined);
    const auth = {
      type: "oauth2",
      grant: "client_credentials",
      issuer,
      clientId: "machine",
      clientSecret: "machine-secret-1",
    } as const;
    const lab = lib.createClient({ ...outside, auth });
    const text = `WEBSOCKET ${toSocket(base)}/greet\n\n=== wait-for-server`;
    const exchange = await lab.send(text, { quiet: 50 });
    const token = explore(exchange.json)[0].message.authorization;
    assert.match(token, /^Bearer \S{20,}$/);
    assert.equal(lab.secrets.mask(token).includes(token.slice(7)), false);
    assert.ok(exchange.request.added.includes("Authorization"));
    const again = await lab.send(text, { quiet: 50 });
    assert.equal(explore(again.json)[0].message.authorization, token, "the token is kept");
    const written = `WEBSOCKET ${toSocket(base)}/greet\nAuthorization: Basic {{user}} {{pass}}\n\n=== wait-for-server`;
    lab.setVar("user", "ada");
    lab.setVar("pass", "pa:ss");
    const { json } = await lab.send(written, { quiet: 50 });
    assert.equal(explore(json)[0].message.authorization, known);
  },
  async "digest is refused before anything is sent"(context) {
    const { lib, outside, base } = context;
    const auth = { type: "digest", username: "ada", password: "secret" } as const;
    const lab = lib.createClient({ ...outside, auth });
    await assert.rejects(lab.websocket(`${toSocket(base)}/greet`), {
      name: "UnsendableRequestError",
      message: /they answer a challenge, which no WebSocket exposes/,
    });
    assert.equal(lab.pending.length, 0);
  },
  async "cookies of the handshake response are stored"(context) {
    const { lib, outside, base } = context;
    const lab = lib.createClient({ ...outside });
    const text = `WEBSOCKET ${toSocket(base)}/cookies\n\nhello`;
    const { warnings } = await lab.send(text, { quiet: 50 });
    const sent = explore((await lab.send(`GET ${base}/echo`)).json).headers.cookie;
    assert.equal(sent, "sid=from-handshake-1");
    assert.match(warnings.join(), /"no"/);
    assert.equal(lab.secrets.mask("it is from-handshake-1").includes("from-handshake-1"), false);
    const off = lib.createClient({ ...outside, cookies: false });
    await off.send(text, { quiet: 50 });
    assert.equal(off.cookies.size, 0);
    const session = lib.createClient({ ...outside });
    const socket = await session.websocket(`${toSocket(base)}/cookies`);
    await socket.close();
    assert.equal(explore((await session.send(`GET ${base}/echo`)).json).headers.cookie, sent);
  },
  async "a WebSocket uses a proxy with user name and password, also over TLS"(context) {
    const { lib, tls, ca, proxy, guarded } = context;
    for (const [server, connection] of [
      [tls, { proxy, ca }],
      [tls, { proxy: guarded.replace("//", "//ada:pa%3Ass@"), ca }],
    ] as const) {
      const told = await greeting(context, server, { connection });
      assert.equal(told["hello"], true, JSON.stringify(connection));
    }
    const log = (await lib.createClient().send(`GET ${proxy}/log`)).text;
    assert.ok(log.includes(`CONNECT ${new URL(tls).host}`), log);
    await assert.rejects(greeting(context, tls, { connection: { proxy: guarded, ca } }), {
      name: "NoResponseError",
    });
  },
  async "a WebSocket uses the proxy of the environment, unless proxy is false"(context) {
    const { HTTP_PROXY, NO_PROXY } = process.env;
    process.env.HTTP_PROXY = "http://127.0.0.1:1";
    delete process.env.NO_PROXY;
    try {
      await assert.rejects(greeting(context, context.base), {
        name: "NoResponseError",
      });
      const direct = await greeting(context, context.base, { connection: { proxy: false } });
      assert.equal(direct["hello"], true);
    } finally {
      if (HTTP_PROXY === undefined) delete process.env.HTTP_PROXY;
      else process.env.HTTP_PROXY = HTTP_PROXY;
      if (NO_PROXY !== undefined) process.env.NO_PROXY = NO_PROXY;
    }
  },
  async "a WebSocket over TLS trusts only a certificate authority that is given"(context) {
    const { tls, mutual, ca, client } = context;
    await assert.rejects(greeting(context, tls), { name: "NoResponseError" });
    const connection = { ca };
    assert.equal((await greeting(context, tls, {}, { connection }))["hello"], true);
    const shown = { ca, clientCertificate: client };
    assert.equal((await greeting(context, mutual, { connection: shown }))["hello"], true);
  },
  async "a WebSocket without TLS uses a tunnel of the proxy"(context) {
    const { lib, base, proxy } = context;
    assert.equal((await greeting(context, base, { connection: { proxy } }))["hello"], true);
    const log = (await lib.createClient().send(`GET ${proxy}/log`)).text;
    assert.ok(log.includes(`CONNECT ${new URL(base).host}`), log);
  },
  async "a refused handshake is an exchange as any other, with status, headers and body"(context) {
    const { lib, outside } = context;
    const refusal = say("HTTP/1.1 403 Not Today\r\nX-Why: full\r\nContent-Length: 4\r\n\r\nbusy");
    await withRawServer(refusal, async ({ url, heard }) => {
      const lab = lib.createClient(outside);
      const socket = toSocket(url.href);
      const exchange = await lab.send(
        `WEBSOCKET ${socket}\nX-Case: 1\n\nhello\n\n?? status == 403`,
      );
      assert.deepEqual(
        [exchange.status, exchange.statusText, exchange.headers.get("x-why")],
        [403, "Not Today", "full"],
      );
      assert.equal(exchange.text, "busy");
      assert.equal(lab.last, exchange);
      assert.equal(exchange.request.method, "WEBSOCKET");
      assert.match(heard[0] ?? "", /\r\nX-Case: 1\r\n/);
      await assert.rejects(lab.websocket(socket), (error) => {
        assert.ok(error instanceof lib.NoResponseError);
        assert.match(error.message, /the server refused the WebSocket with 403 Not Today\. Check/);
        assert.equal(error.partial?.status, 403);
        return true;
      });
      assert.equal(lab.pending.length, 0);
    });
  },
  async "a WebSocket goes by the Unix socket of the connection"({ lib, outside, folder }) {
    const path = join(folder, `${process.pid}.sock`);
    const server = createServer((socket) => {
      socket.once("data", () => socket.end("HTTP/1.1 418 Tea\r\nContent-Length: 0\r\n\r\n"));
    });
    await new Promise<void>((resolve) => server.listen(path, resolve));
    try {
      const lab = lib.createClient({ ...outside, connection: { unixSocket: path } });
      assert.equal((await lab.send("WEBSOCKET ws://local.test/\n\nhello")).status, 418);
      assert.equal((await lab.send("GET http://local.test/")).status, 418);
    } finally {
      server.close();
    }
  },
  async "a client with only the global WebSocket refuses connection options"({ base, ca }) {
    if (typeof globalThis.WebSocket !== "function") return;
    const lab = createPlainClient({ connection: { ca } });
    await assert.rejects(lab.websocket(`${toSocket(base)}/greet`), {
      name: "UnsendableRequestError",
      message: /with the connection options ca: this client has only the global WebSocket/,
    });
  },
});
