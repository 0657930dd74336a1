import assert from "node:assert/strict";
import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import process from "node:process";
import { gzipSync } from "node:zlib";
import type { ConnectionOptions, Exchange } from "../../../lib/mod.ts";
import { type Check, type Context, checks } from "../check.ts";

/** Tries a connection; what the runtime refuses is noted as lacking, and nothing more is asked of it. */
async function attempt(
  { lib, outside, lacks }: Context,
  ability: string,
  connection: ConnectionOptions,
  url: string,
): Promise<Exchange | undefined> {
  try {
    return await lib.createClient({ ...outside, connection }).send({ url });
  } catch (error) {
    const [, reason] =
      /^Cannot use the connection option \S+: (.*)$/.exec((error as Error).message) ?? [];
    if ((error as Error).name !== "ConnectionError" || reason === undefined) throw error;
    lacks(ability, reason);
    return undefined;
  }
}

/** What no server of `node:http` would: its parser knows the methods of the registry alone. */
function answerAnyMethod(socket: Socket, message: string): void {
  const [, method = "", path = ""] = /^(\S+) \/(\S*)/.exec(message) ?? [];
  const packed = gzipSync(`${method} ${message.slice(-1)}`);
  const head = "HTTP/1.1 200 OK\r\nContent-Length: ";
  if (path === "gzip") {
    socket.write(`${head}${packed.length}\r\nContent-Encoding: gzip\r\n\r\n`);
    socket.write(packed);
  }
  if (path === "redirect") {
    socket.write("HTTP/1.1 307 Go\r\nLocation: /gzip\r\nContent-Length: 0\r\n\r\n");
  }
  if (path === "half") socket.write(`${head}100\r\n\r\n${method}`);
  if (path === "half") setTimeout(() => socket.destroy(), 50);
  if (path === "reset") socket.destroy();
}

const TABLE: { readonly [ability: string]: Readonly<Record<string, Check["run"]>> } = {
  "Proxy for http and https": {
    async "a proxy is used for http, and for https through a tunnel"(context) {
      const { lib, outside, base, tls, ca, proxy } = context;
      const lab = lib.createClient({ ...outside, connection: { proxy, ca } });
      const plain = await lab.send(`GET ${base}/echo`);
      assert.deepEqual([plain.status, plain.statusText], [200, "OK"]);
      assert.equal(plain.headers.get("via"), "1.1 test");
      assert.match(String(plain), /200 OK/);
      const tunnelled = await lab.send(`GET ${tls}/echo`);
      assert.deepEqual([tunnelled.status, tunnelled.statusText], [200, "OK"]);
      const log = (await lib.createClient().send(`GET ${proxy}/log`)).text;
      assert.ok(log.includes(`GET ${base}/echo`), log);
      assert.ok(log.includes(`CONNECT ${new URL(tls).host}`), log);
    },
    async "a proxy that cannot be reached is named, and not taken for the server"(context) {
      const { lib, outside, base, tls, ca } = context;
      const server = createServer();
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      const { port } = server.address() as AddressInfo;
      await new Promise((resolve) => server.close(resolve));
      const proxy = `http://ada:secret@127.0.0.1:${port}`;
      const lab = lib.createClient({ ...outside, connection: { proxy, ca } });
      for (const url of [base, tls]) {
        const error = await lab.send(`GET ${url}/echo`).catch((thrown) => thrown);
        assert.equal(error.code, "proxy", error.message);
        assert.match(
          error.message,
          new RegExp(`no response: the proxy 127\\.0\\.0\\.1:${port} could not be reached, `),
        );
      }
    },
    async "noProxy excludes hosts"({ lib, outside, base, proxy }) {
      const noProxy = ".example.com,127.0.0.1";
      const lab = lib.createClient({ ...outside, connection: { proxy, noProxy } });
      assert.equal((await lab.send(`GET ${base}/echo`)).headers.get("via"), null);
    },
  },
  "Proxy with credentials": {
    async "a proxy gets user name and password, and responds with 407 without them"(context) {
      const { lib, outside, base, guarded, tls, ca } = context;
      const url = new URL(guarded);
      const proxy = `http://ada:pa%3Ass@${url.host}`;
      const lab = lib.createClient({ ...outside, connection: { proxy, ca } });
      assert.equal((await lab.send(`GET ${base}/echo`)).headers.get("via"), "1.1 test");
      assert.equal((await lab.send(`GET ${tls}/echo`)).status, 200);
      assert.equal(lab.secrets.mask("x pa:ss").includes("pa:ss"), false);
      const unknown = lib.createClient({ ...outside, connection: { proxy: guarded } });
      // Deno and Bun give the answer of the proxy, Node has none.
      const refusal = await unknown.send(`GET ${base}/echo`).then(
        ({ status }) => status,
        (error) => error.code,
      );
      assert.ok(refusal === 407 || refusal === "proxy", String(refusal));
      await assert.rejects(
        lib
          .createClient({ ...outside, connection: { proxy: guarded, ca } })
          .send(`GET ${tls}/echo`),
        { code: "proxy" },
      );
    },
  },
  "Proxy from the environment": {
    async "a password of a proxy with a percent sign that is no escape is sent as written"(
      context,
    ) {
      const { lib, outside, guarded, tls, ca } = context;
      const proxy = `http://ada:half100%@${new URL(guarded).host}`;
      const lab = lib.createClient({ ...outside, connection: { proxy, ca } });
      await assert.rejects(lab.send(`GET ${tls}/echo`), { code: "proxy" });
      assert.equal(lab.secrets.mask("x half100%").includes("half100%"), false);
    },
    async "HTTP_PROXY and NO_PROXY are respected, unless proxy is false"({
      lib,
      outside,
      base,
      proxy,
    }) {
      const { HTTP_PROXY, NO_PROXY } = process.env;
      process.env.HTTP_PROXY = proxy;
      delete process.env.NO_PROXY;
      try {
        const via = async (connection: ConnectionOptions, body = ""): Promise<string | null> => {
          const lab = lib.createClient({ ...outside, connection });
          return (await lab.send(`GET ${base}/echo\n\n${body}`)).headers.get("via");
        };
        assert.equal(await via({ http2: false }), "1.1 test");
        assert.equal(await via({ http2: false }, "hi"), "1.1 test");
        assert.equal(await via({ proxy: false }), null);
        process.env.NO_PROXY = "127.0.0.1";
        assert.equal(await via({ http2: false }), null);
      } finally {
        if (HTTP_PROXY === undefined) delete process.env.HTTP_PROXY;
        else process.env.HTTP_PROXY = HTTP_PROXY;
        if (NO_PROXY === undefined) delete process.env.NO_PROXY;
        else process.env.NO_PROXY = NO_PROXY;
      }
    },
  },
  "Custom authority (`ca`)": {
    async "a certificate authority is trusted as text and as a file"(context) {
      const { lib, outside, tls, ca } = context;
      await assert.rejects(lib.createClient().send(`GET ${tls}/echo`), { code: "certificate" });
      const exchange = await attempt(context, "Custom authority (`ca`)", { ca }, `${tls}/echo`);
      assert.equal(exchange?.status, 200);
      assert.deepEqual(exchange?.warnings, []);
      const readFile = async () => new TextEncoder().encode(ca);
      const { openFile: _open, ...rest } = outside;
      const lab = lib.createClient({ ...rest, readFile, connection: { ca: "./authority.pem" } });
      assert.equal((await lab.send(`GET ${tls}/echo`)).status, 200);
    },
  },
  "Unchecked certificates (`insecure`)": {
    async "certificates are not checked with insecure, and every exchange has a warning"(context) {
      const ability = "Unchecked certificates (`insecure`)";
      const url = `${context.tls}/echo`;
      const exchange = await attempt(context, ability, { insecure: true }, url);
      if (exchange === undefined) return;
      assert.equal(exchange.status, 200);
      assert.match(exchange.warnings[0] ?? "", /^The certificate was not checked \(insecure\)/);
      const plain = await attempt(context, ability, { insecure: true }, `${context.base}/echo`);
      assert.deepEqual(plain?.warnings, [], "http has no certificate");
    },
  },
  "Client certificate": {
    async "a client certificate is sent to a server that requests it"(context) {
      const { lib, outside, mutual, ca, client } = context;
      const nobody = lib.createClient({ ...outside, connection: { ca } });
      assert.equal((await nobody.send({ url: mutual })).status, 403);
      const connection = { ca, clientCertificate: client };
      const exchange = await attempt(context, "Client certificate", connection, mutual);
      assert.equal(exchange?.json.name, "ada");
    },
    async "the files of X-ClientCert are read, and the header is not sent"(context) {
      const { lib, outside, mutual, ca, client } = context;
      const readFile = async (path: string): Promise<Uint8Array> =>
        new TextEncoder().encode(path === "./c.pem" ? client.cert : client.key);
      const lab = lib.createClient({ ...outside, connection: { ca }, readFile });
      const text = `GET ${mutual}\nX-ClientCert: cert: ./c.pem key: ./c.key`;
      const { json, request } = await lab.send(text);
      assert.equal(json.name, "ada");
      assert.deepEqual(
        request.headers.filter(([name]) => /cert/i.test(name)),
        [],
      );
    },
  },
  "Custom methods (`FROB`)": {
    async "every registered method is sent with a body, and a custom one is sent or refused"({
      lib,
      base,
      lacks,
    }) {
      const lab = lib.createClient();
      for (const method of ["QUERY", "PURGE", "REPORT", "PROPFIND", "MKCALENDAR", "LINK"]) {
        const { json } = await lab.send({ url: `${base}/echo`, method, body: "x" });
        assert.deepEqual([json.method, json.body], [method, "x"]);
      }
      try {
        // The server of the test knows no such method, and says so: it was sent.
        assert.equal((await lab.send(`FROB ${base}/echo`)).status, 400);
      } catch (error) {
        assert.equal((error as Error).name, "UnsendableRequestError");
        const [, reason = ""] =
          /^Cannot send the method "FROB": (.*)$/.exec((error as Error).message) ?? [];
        lacks("Custom methods (`FROB`)", reason);
      }
    },
  },
  "Body with GET and HEAD": {
    async "GET and HEAD are sent with a body, also through a proxy and with certificates"(context) {
      const { lib, base, outside, proxy, tls, ca, mutual, client } = context;
      const send = (url: string, connection: ConnectionOptions): Promise<Exchange> =>
        lib.createClient({ ...outside, connection }).send({ method: "GET", url, body: "hi" });
      assert.equal((await send(`${tls}/echo`, { ca })).json.body, "hi");
      await lib.createClient().send(`GET ${proxy}/log`);
      const relayed = await send(`${base}/echo`, { proxy, ca });
      assert.deepEqual([relayed.json.body, relayed.headers.get("via")], ["hi", "1.1 test"]);
      assert.equal((await send(`${tls}/echo`, { proxy, ca })).json.body, "hi");
      assert.deepEqual((await lib.createClient().send(`GET ${proxy}/log`)).json, [
        `GET ${base}/echo`,
        `CONNECT ${new URL(tls).host}`,
      ]);
      const clientCertificate = { ca, clientCertificate: client };
      assert.equal((await send(mutual, clientCertificate)).json.name, "ada");
      await assert.rejects(send(`${tls}/echo`, { http2: false }), { code: "certificate" });
    },
  },
  "HTTP/2 (`http2: true`)": {
    async "HTTP/2 is used if it is requested, and not otherwise"(context) {
      const { ca, h2 } = context;
      const ability = "HTTP/2 (`http2: true`)";
      const wanted = await attempt(context, ability, { ca, http2: true }, h2);
      if (wanted !== undefined) assert.equal(wanted.json.version, "2.0");
      const other = await attempt(context, ability, { ca, http2: false }, h2);
      assert.equal(other?.json.version, "1.1");
    },
  },
};

/** Proxies, certificates and protocols; each group is a row of the published table. */
export const connectionChecks: readonly Check[] = [
  ...Object.entries(TABLE).flatMap(([ability, table]) =>
    checks(table).map((check) => ({ ...check, ability })),
  ),
  ...checks({
    async "connection options without a connect function are refused"({ lib, base }) {
      const lab = lib.createClient({ connection: { http2: true } });
      await assert.rejects(lab.send({ url: base }), {
        name: "UnsendableRequestError",
        message: /^Cannot use the connection options http2: this client has only fetch/,
      });
    },
    async "an unknown or invalid option is refused with its expected type"({ lib, outside, base }) {
      const lab = lib.createClient({ ...outside });
      for (const [written, message] of [
        ['{"caa": "x"}', /^Cannot use the connection option "caa": did you mean "ca"\?$/],
        ['{"reject": true}', /option "reject": use one of proxy, noProxy, ca, insecure, client/],
        ['{"insecure": "no"}', /option "insecure": it must be true or false, not string$/],
        ['{"ca": [1]}', /option "ca": it must be PEM text, a path, or a list of them, not object$/],
        [
          '{"clientCertificate": {"cert": "x"}}',
          /it must be an object with cert and key, not object$/,
        ],
        ['{"ca": "./nowhere.pem"}', /^Cannot read connection\.ca from "\.\/nowhere\.pem": /],
        [
          '{"clientCertificate": {"pfx": "./nowhere.p12"}}',
          /^Cannot read connection\.clientCertificate\.pfx from "\.\/nowhere\.p12": /,
        ],
        [
          '{"proxy": "socks5://127.0.0.1:9"}',
          /proxy: the scheme "socks5" is not supported; use http or https/,
        ],
        ['{"proxy": "localhost:3128"}', /^Cannot use the proxy: it is not a URL, such as http:/],
      ] as const) {
        await assert.rejects(lab.send(`# @connection ${written}\nGET ${base}/echo`), {
          name: "UnsendableRequestError",
          message,
        });
      }
    },
    async "responses to a custom method are decompressed and redirected, and its failures explained"({
      lib,
    }) {
      const server = createServer((socket) => {
        socket.on("error", () => undefined);
        socket.on("data", (data) => answerAnyMethod(socket, data.toString("latin1")));
      }).listen(0, "127.0.0.1");
      await once(server, "listening");
      const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const lab = lib.createClient();
      const send = (path: string, timeout?: number): Promise<Exchange> =>
        lab.send({ method: "FROB", url: `${base}/${path}`, body: "x" }, { timeout });
      try {
        assert.equal((await send("gzip")).text, "FROB x");
        const { text, redirects } = await send("redirect");
        assert.deepEqual([text, redirects.length], ["FROB x", 1]);
        await assert.rejects(send("half"), { code: "cut-short", message: /after 4 of 100 bytes/ });
        await assert.rejects(send("reset"), { code: "reset" });
        await assert.rejects(send("silent", 500), { code: "timed-out" });
      } finally {
        server.close();
      }
    },
    async "an invalid proxy URL is refused without quoting it"({ lib, outside, base }) {
      const lab = lib.createClient({ ...outside, connection: { proxy: "ada:secret@" } });
      await assert.rejects(lab.send({ url: base }), (error: Error) => {
        assert.match(error.message, /^Cannot use the proxy: it is not a URL/);
        assert.doesNotMatch(error.message, /secret/);
        return true;
      });
    },
  }),
];
