import assert from "node:assert/strict";
import { createPrivateKey } from "node:crypto";
import { once } from "node:events";
import { createServer as createHttp2Server } from "node:http2";
import { type AddressInfo, createServer, type Socket } from "node:net";
import process from "node:process";
import { gzipSync } from "node:zlib";
import {
  type ConnectionOptions,
  createClient as createPlainClient,
  type Exchange,
} from "../../../lib/mod.ts";
import { explore } from "../../support/explore.ts";
import { type Check, type Context, checks } from "../check.ts";
import { say, withRawServer } from "./raw-server.ts";

function sendBy(
  { lib, outside }: Context,
  connection: ConnectionOptions,
  url: string,
): Promise<Exchange> {
  return lib.createClient({ ...outside, connection }).send({ url });
}

/** A self-signed certificate with its key as PKCS #12, whose passphrase is "correct-horse". */
const PFX =
  "MIIEHAIBAzCCA9IGCSqGSIb3DQEHAaCCA8MEggO/MIIDuzCCAnIGCSqGSIb3DQEHBqCCAmMwggJfAgEAMIICWAYJKoZIhvcNAQcBMFcGCSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAjVxoUjjp5gFAICCAAwDAYIKoZIhvcNAgkFADAdBglghkgBZQMEASoEEC38hg1VIWzrFU0LQ/erqkOAggHwCHJTVqO57UzIRpC4k1a5KTZvXyHWlxei8Fsje4vUiZPmcRgAdzyX/iz7HcGjbt1sRqiiuSW3a7dqSBWUXXZ25Ql1qumoSKYUQrRH/48pffn0Xz7GTZTaWGnrhRxZFUDoRomTHHZ719DlnqJUwl3p6dHdsUeZLnUXXayNTG37dFLTL7Deq0/4YAcosNkB/PyYS09Z2Zk1ewfIkYtg2sPW+4tnsVlesC56tQ3QRF6raLuDxdJqkWI3epsvSPQE2V9uFPGA8O4Wh+YTZq4F7ghdq2WfuWQweKIfJGgygc6v2fWdyIWqqbbmgxwoRCMhSkFmibyhlxS08qA4QlSaYRujxr2ESNNePXblLxsRXTv47nTYV5whEeJzxrcgquu1uztVlxWT9JmT2TGPMzVPjKyZtlGh22Z2uv8MN6mAct5OYUmkS5MIo+N1P35xfqzWk9D1yCq7LJLAMeW0a0UtjFrD90okAMgaAhir8rdZm+tBLWo9zh1iFesLNqVGA1zx2qhk4RO47ZNFq+BJx8GkOJ5KPP82q8PgcSH21rCiEDqEZc1CRFvY8xSvHCE+iQsLfzSoCUTGiOAJ5gMxmDLHNs2NTUtQ3GerJyLO2e/bu7HA4xC7SHq4tOAhmDQJ0aimna60hz8AkrLK+QB8lcacC3X4gjCCAUEGCSqGSIb3DQEHAaCCATIEggEuMIIBKjCCASYGCyqGSIb3DQEMCgECoIHvMIHsMFcGCSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAjBKKgyRapIOgICCAAwDAYIKoZIhvcNAgkFADAdBglghkgBZQMEASoEEKBhgwXNmyf2aHr3Lev7LPoEgZCKnmEIXDxfmXhlFRdmcwvmZ2zBlFpb9OEH/oJAswxoMBB8BCnZo1r2dy+Wzdebz2MIPlp/7n+cPIuu90qFtZCr94SpKOn67YhcjSE0vhAyjX5hO0ENWf1DakXAzuzivZsyiJfuBMTs7oDmu1fFmGjs9p0pU0UIVtK0WzeUBOM+AgoZNNPDyFf1BwymOgmYYvIxJTAjBgkqhkiG9w0BCRUxFgQUN8HnVMcgpHau9XA3KDAcBlzYgr0wQTAxMA0GCWCGSAFlAwQCAQUABCBynprAGzMMklvmQ8oDVr6FqV0ikWr7SVAy0ds0tIDT1AQIJnDMFbDZpSsCAggA";

/** A key whose passphrase is "correct-horse"; "wrong153" decrypts it to bytes that are no key. */
const UNLUCKY_KEY = `-----BEGIN ENCRYPTED PRIVATE KEY-----
MIHsMFcGCSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAi0DSnJ/hTAjAICCAAw
DAYIKoZIhvcNAgkFADAdBglghkgBZQMEASoEEKqMPDGyfcP1riAzZZu2dg4EgZDd
LtheOK4VtEOhDQEOxv5onMXAneOhd2gkYJFs8uqL2G8qlPLJRWWC4oycycfI4p9q
779xmCUGGm3YDFf7yIgysYgrrSfVWfataH2qjYtzuk5X2QlIgasfQ0lKD7TeKio5
2HC5YudnECBPFdkOd/y31kmbN1nXVLJMpWwGrTd/B4GzDyrzuxTEljiAVmQ8RXY=
-----END ENCRYPTED PRIVATE KEY-----
`;

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

/** Proxies, certificates and protocols; each group is a row of the published table. */
export const connectionChecks: readonly Check[] = checks({
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
  async "a proxy gets user name and password, and responds with 407 without them"(context) {
    const { lib, outside, base, guarded, tls, ca } = context;
    const url = new URL(guarded);
    const proxy = `http://ada:pa%3Ass@${url.host}`;
    const lab = lib.createClient({ ...outside, connection: { proxy, ca } });
    assert.equal((await lab.send(`GET ${base}/echo`)).headers.get("via"), "1.1 test");
    assert.equal((await lab.send(`GET ${tls}/echo`)).status, 200);
    assert.equal(lab.secrets.mask("x pa:ss").includes("pa:ss"), false);
    const unknown = lib.createClient({ ...outside, connection: { proxy: guarded } });
    assert.equal((await unknown.send(`GET ${base}/echo`)).status, 407);
    await assert.rejects(sendBy(context, { proxy: guarded, ca }, `${tls}/echo`), {
      code: "proxy",
      message: /refused it with 407 Proxy Authentication Required\. /,
    });
  },
  async "a password of a proxy with a percent sign that is no escape is sent as written"(context) {
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
  async "a certificate authority is trusted as text and as a file"(context) {
    const { lib, outside, tls, ca } = context;
    await assert.rejects(lib.createClient().send(`GET ${tls}/echo`), { code: "certificate" });
    const exchange = await sendBy(context, { ca }, `${tls}/echo`);
    assert.equal(exchange.status, 200);
    assert.deepEqual(exchange.warnings, []);
    const readFile = async () => new TextEncoder().encode(ca);
    const { openFile: _open, ...rest } = outside;
    const lab = lib.createClient({ ...rest, readFile, connection: { ca: "./authority.pem" } });
    assert.equal((await lab.send(`GET ${tls}/echo`)).status, 200);
  },
  async "certificates are not checked with insecure, and every exchange has a warning"(context) {
    const exchange = await sendBy(context, { insecure: true }, `${context.tls}/echo`);
    assert.equal(exchange.status, 200);
    assert.match(exchange.warnings[0] ?? "", /^The certificate was not checked \(insecure\)/);
    const plain = await sendBy(context, { insecure: true }, `${context.base}/echo`);
    assert.deepEqual(plain.warnings, [], "http has no certificate");
  },
  async "a client certificate is sent to a server that requests it"(context) {
    const { lib, outside, mutual, ca, client } = context;
    const nobody = lib.createClient({ ...outside, connection: { ca } });
    assert.equal((await nobody.send({ url: mutual })).status, 403);
    const connection = { ca, clientCertificate: client };
    assert.equal(explore((await sendBy(context, connection, mutual)).json).name, "ada");
  },
  async "the files of X-ClientCert are read, and the header is not sent"(context) {
    const { lib, outside, mutual, ca, client } = context;
    const readFile = async (path: string): Promise<Uint8Array> =>
      new TextEncoder().encode(path === "./c.pem" ? client.cert : client.key);
    const lab = lib.createClient({ ...outside, connection: { ca }, readFile });
    const text = `GET ${mutual}\nX-ClientCert: cert: ./c.pem key: ./c.key`;
    const { json, request } = await lab.send(text);
    assert.equal(explore(json).name, "ada");
    assert.deepEqual(
      request.headers.filter(([name]) => /cert/i.test(name)),
      [],
    );
  },
  async "every registered method is sent with a body, and custom ones are sent"({ lib, base }) {
    const lab = lib.createClient();
    for (const method of ["QUERY", "PURGE", "REPORT", "PROPFIND", "MKCALENDAR", "LINK"]) {
      const { json } = await lab.send({ url: `${base}/echo`, method, body: "x" });
      assert.deepEqual([explore(json).method, explore(json).body], [method, "x"]);
    }
    // The server of the test knows no such method, and says so: it was sent.
    assert.equal((await lab.send(`FROB ${base}/echo`)).status, 400);
  },
  async "GET and HEAD are sent with a body, also through a proxy and with certificates"(context) {
    const { lib, base, outside, proxy, tls, ca, mutual, client } = context;
    const send = (url: string, connection: ConnectionOptions): Promise<Exchange> =>
      lib.createClient({ ...outside, connection }).send({ method: "GET", url, body: "hi" });
    assert.equal(explore((await send(`${tls}/echo`, { ca })).json).body, "hi");
    await lib.createClient().send(`GET ${proxy}/log`);
    const relayed = await send(`${base}/echo`, { proxy, ca });
    assert.deepEqual([explore(relayed.json).body, relayed.headers.get("via")], ["hi", "1.1 test"]);
    assert.equal(explore((await send(`${tls}/echo`, { proxy, ca })).json).body, "hi");
    assert.deepEqual((await lib.createClient().send(`GET ${proxy}/log`)).json, [
      `GET ${base}/echo`,
      `CONNECT ${new URL(tls).host}`,
    ]);
    const clientCertificate = { ca, clientCertificate: client };
    assert.equal(explore((await send(mutual, clientCertificate)).json).name, "ada");
    await assert.rejects(send(`${tls}/echo`, { http2: false }), { code: "certificate" });
  },
  async "HTTP/2 is used if it is requested, and not otherwise"(context) {
    const { ca, h2 } = context;
    assert.equal(explore((await sendBy(context, { ca, http2: true }, h2)).json).version, "2.0");
    assert.equal(explore((await sendBy(context, { ca, http2: false }, h2)).json).version, "1.1");
  },
  async "one connection of HTTP/2 has all requests to a server, with bodies, headers and trailers"(
    context,
  ) {
    const { lib, outside, ca, h2 } = context;
    const lab = lib.createClient({ ...outside, connection: { ca, http2: true } });
    const send = (body: string): Promise<Exchange> =>
      lab.send(`POST ${h2}/a/b?c\nX-Case: 1\nX-List: 1\nX-List: 2\n\n${body}`);
    const answers = await Promise.all(["hi", "x".repeat(300_000), "z"].map(send));
    assert.deepEqual(
      answers.map(({ json }) => explore(json).length),
      [2, 300_000, 1],
    );
    const [first] = answers as [Exchange];
    const { headers, session } = explore(first.json);
    assert.deepEqual([headers[":method"], headers[":path"]], ["POST", "/a/b?c"]);
    assert.equal(headers[":authority"], new URL(h2).host);
    assert.deepEqual([headers["x-case"], headers["x-list"]], ["1", "1, 2"]);
    assert.equal(first.connection?.httpVersion, "2");
    assert.deepEqual(first.connection?.trailers, [["x-sum", "42"]]);
    assert.deepEqual(first.connection?.informational, [
      { status: 103, statusText: "", headers: [["link", "</a.css>"]] },
    ]);
    const names = first.hops[0]?.headers.map(([name]) => name);
    assert.ok(names?.includes("Host") && !names.includes("Connection"), String(names));
    assert.equal((await lab.send(`HEAD ${h2}/`)).text, "");
    assert.equal((await lab.send(`GET ${h2}/gzip`)).text, "packed");
    await assert.rejects(lab.send(`GET ${h2}/reset`), { code: "protocol" });
    await assert.rejects(lab.send(`GET ${h2}/half`), { code: "cut-short" });
    await assert.rejects(lab.send(`GET ${h2}/silent`, { timeout: 50 }), { code: "timed-out" });
    assert.equal(explore((await lab.send(`GET ${h2}/last`)).json).session, session);
    await assert.rejects(lab.send(`GET ${h2}/drop`), { code: "cut-short" });
    const next = explore((await lab.send(`GET ${h2}/`)).json).session;
    assert.ok(next > session);
    await assert.rejects(lab.send(`GET ${h2}/short`), { code: "cut-short" });
    assert.equal((await lab.send(`GET ${h2}/`)).status, 200);
  },
  async "HTTP/2 without asking, over http, and only if the server has it over https"(context) {
    const { lib, outside, ca, tls } = context;
    const connection = { ca, http2: "prior-knowledge" } as const;
    const server = createHttp2Server().on("request", (request, response) => {
      response.end(request.httpVersion);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const lab = lib.createClient({ ...outside, connection });
    assert.equal((await lab.send(`GET http://127.0.0.1:${port}/`)).text, "2.0");
    // Headers of a connection are those of HTTP/1.1.
    const headers = "TE: gzip\nHTTP2-Settings: AA\nProxy-Connection: close\nX-A: 1";
    const { text, warnings } = await lab.send(`GET http://127.0.0.1:${port}/\n${headers}`);
    assert.deepEqual(
      [text, ...warnings],
      [
        "2.0",
        ...["TE", "HTTP2-Settings", "Proxy-Connection"].map(
          (name) => `The header "${name}" is not sent: HTTP/2 forbids it`,
        ),
      ],
    );
    const trailers = await lab.send(`GET http://127.0.0.1:${port}/\nTE: trailers\nconstructor: 1`);
    assert.deepEqual([trailers.text, trailers.warnings], ["2.0", []]);
    await assert.rejects(lab.send(`GET ${tls}/echo`), {
      code: "protocol",
      message: /the server does not speak HTTP\/2\./,
    });
    lab.abort();
    server.close();
    const closed = createServer();
    await new Promise<void>((resolve) => closed.listen(0, "127.0.0.1", resolve));
    const nowhere = (closed.address() as AddressInfo).port;
    await new Promise((resolve) => closed.close(resolve));
    for (const _time of [1, 2]) {
      await assert.rejects(lab.send(`GET http://127.0.0.1:${nowhere}/`), { code: "refused" });
    }
  },
  async "an https server without HTTP/2 gets HTTP/1.1 on the connection that it was asked on"(
    context,
  ) {
    const { lib, outside, ca } = context;
    const lab = lib.createClient({ ...outside, connection: { ca, http2: true } });
    const { connection } = await lab.send(`GET ${context.tls}/echo`);
    assert.equal(connection?.httpVersion, "1.1");
    assert.equal((await lab.send(`GET ${context.tls}/echo`)).connection?.isReused, true);
  },
  async "a path is sent as it is with pathAsIs, and another Host"({ lib, outside }) {
    const answer = say("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
    await withRawServer(answer, async ({ url, heard }) => {
      const target = `http://${url.host}/a/../b/./%2e%2e/ü c?x=../y#z`;
      const usual = lib.createClient(outside);
      const { notes } = await usual.send({ url: target, headers: { HOST: "other.test" } });
      assert.deepEqual(notes, [
        'The path "/a/../b/./%2e%2e/%C3%BC%20c" was sent as "/%C3%BC%20c", as browsers do; ' +
          "connection.pathAsIs (--path-as-is of curl) sends it as written",
      ]);
      const turned = await usual.send({ url: `http://${url.host}/a\\b` });
      assert.match(turned.notes[0] ?? "", /^The path "\/a\\b" was sent as "\/a\/b"/);
      const asIs = usual.extend({ connection: { pathAsIs: true } });
      const { url: told, notes: none } = await asIs.send({ url: target });
      assert.deepEqual(none, []);
      assert.equal(new URL(told).pathname, "/%C3%BC%20c");
      await asIs.send({ url: `http://${url.host}?q` });
      assert.deepEqual(
        heard.map((it) => it.split("\r\n")[0]),
        [
          "GET /%C3%BC%20c?x=../y HTTP/1.1",
          "GET /a/b HTTP/1.1",
          "GET /a/../b/./%2e%2e/%C3%BC%20c?x=../y HTTP/1.1",
          "GET /?q HTTP/1.1",
        ],
      );
      assert.match(heard[0] ?? "", /\r\nHOST: other\.test\r\n/);
      assert.deepEqual(usual.last.warnings, []);
    });
  },
  async "another Host stays with a redirect of its server, and does not go to another one"({
    lib,
    outside,
  }) {
    const seen: string[] = [];
    const answer = (socket: Socket, piece: string): void => {
      seen.push(/^Host: (.*)$/im.exec(piece)?.[1] ?? "");
      const location = ["/next", `http://localhost:${socket.localPort}/`][seen.length - 1];
      const head = location ? `302 Found\r\nLocation: ${location}` : "200 OK";
      socket.write(`HTTP/1.1 ${head}\r\nContent-Length: 0\r\n\r\n`);
    };
    await withRawServer(answer, async ({ url }) => {
      await lib.createClient(outside).send({ url: url.href, headers: { Host: "other.test" } });
      assert.deepEqual(seen, ["other.test", "other.test", `localhost:${url.port}`]);
    });
  },
  async "the server name is sent and compared, whatever the URL says"(context) {
    const { tls, ca } = context;
    const byName = tls.replace("localhost", "127.0.0.1");
    const right = await sendBy(context, { ca, servername: "localhost" }, `${byName}/echo`);
    assert.equal(right.status, 200);
    const wrong = sendBy(context, { ca, servername: "other.test" }, `${tls}/echo`);
    await assert.rejects(wrong, { code: "certificate" });
  },
  async "a client certificate may be encrypted PEM, or PKCS #12"(context) {
    const { mutual, ca, client } = context;
    const passphrase = "correct-horse";
    const key = createPrivateKey(client.key).export({
      type: "pkcs8",
      format: "pem",
      cipher: "aes-256-cbc",
      passphrase,
    }) as string;
    const clientCertificate = { cert: client.cert, key, passphrase };
    assert.equal(
      explore((await sendBy(context, { ca, clientCertificate }, mutual)).json).name,
      "ada",
    );
    const wrong = { ...clientCertificate, passphrase: "wrong" };
    await assert.rejects(sendBy(context, { ca, clientCertificate: wrong }, mutual), {
      name: "ConnectionError",
      message: /^Cannot use connection\.clientCertificate: .*decrypt/,
    });
    const unlucky = { ...clientCertificate, key: UNLUCKY_KEY, passphrase: "wrong153" };
    await assert.rejects(sendBy(context, { ca, clientCertificate: unlucky }, mutual), {
      name: "ConnectionError",
    });
    const pfx = { pfx: Buffer.from(PFX, "base64"), passphrase };
    const { json } = await sendBy(context, { ca, clientCertificate: pfx }, mutual);
    assert.equal(explore(json).shown, "ada of a file");
    const spoilt = { ...pfx, passphrase: "wrong" };
    await assert.rejects(sendBy(context, { ca, clientCertificate: spoilt }, mutual), {
      name: "ConnectionError",
    });
  },
  async "connections are not kept with keepAlive: false, and the server is told"({ lib, outside }) {
    const answer = say("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
    await withRawServer(answer, async ({ url, heard, sockets }) => {
      const lab = lib.createClient({ ...outside, connection: { keepAlive: false } });
      for (let n = 0; n < 3; n++) assert.equal((await lab.send({ url: url.href })).text, "ok");
      assert.equal(sockets.size, 3);
      assert.match(heard[0] ?? "", /\r\nConnection: close\r\n/);
      const { hops } = lab.last;
      assert.ok(hops[0]?.headers.some(([name, value]) => `${name}${value}` === "Connectionclose"));
    });
  },
  async "the headers of an answer may be as large as maxHeaderSize says"({ lib, outside }) {
    const answer = say(`HTTP/1.1 200 OK\r\nX: ${"x".repeat(40_000)}\r\nContent-Length: 0\r\n\r\n`);
    await withRawServer(answer, async ({ url }) => {
      const lab = lib.createClient(outside);
      await assert.rejects(lab.send({ url: url.href }), {
        code: "protocol",
        message: /maxHeaderSize/,
      });
      const connection = { maxHeaderSize: 65_536 };
      const { headers } = await lab.send({ url: url.href }, { connection });
      assert.equal(headers.get("x")?.length, 40_000);
    });
  },
  async "an exchange tells of the connection and of the answer as it came"(context) {
    const { lib, outside } = context;
    const text =
      "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 200 Fine\r\nX-CaSe: 1\r\nb: 2\r\nx-case: 3\r\n" +
      "Transfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\nX-Sum: 42\r\n\r\n";
    await withRawServer(say(text), async ({ url }) => {
      const lab = lib.createClient(outside);
      const answer = await lab.send({ url: url.href });
      const { connection, text: body } = answer;
      assert.equal(body, "ok");
      assert.match(
        String(answer),
        /103 Early Hints \(1\)\n {2}Link: <\/a>\n\nTrailers \(1\)\n {2}X-Sum: 42/,
      );
      assert.deepEqual(connection?.headers, [
        ["X-CaSe", "1"],
        ["b", "2"],
        ["x-case", "3"],
        ["Transfer-Encoding", "chunked"],
      ]);
      assert.deepEqual(connection?.trailers, [["X-Sum", "42"]]);
      assert.deepEqual(connection?.informational, [
        { status: 103, statusText: "Early Hints", headers: [["Link", "</a>"]] },
      ]);
      assert.equal(connection?.address, url.host);
      assert.equal(connection?.isReused, false);
      // Values: what asks the connection would keep its request, its socket and their buffers with each exchange.
      for (const kept of [connection, answer.hops[0]?.connection]) {
        const members = Object.values(Object.getOwnPropertyDescriptors(kept));
        assert.ok(members.length > 0 && members.every(({ get }) => get === undefined));
      }
      assert.equal((await lab.send({ url: url.href })).connection?.isReused, true);
    });
    const { tls, ca, proxy } = context;
    for (const connection of [{ ca }, { ca, proxy }, { ca, http2: true }]) {
      const seen = (await sendBy(context, connection, `${tls}/echo`)).connection;
      const { connect, tls: secured, firstByte } = seen?.times ?? { firstByte: 0 };
      const steps = "proxy" in connection ? [secured] : [connect, secured];
      for (const time of steps) {
        assert.ok((time ?? -1) >= 0 && Number(time) <= firstByte, JSON.stringify(seen?.times));
      }
      assert.match(seen?.tls?.version ?? "", /^TLSv1\./);
      assert.equal(seen?.tls?.certificate?.issuer, "restlab test authority");
    }
  },
  async "connection options without a connect function are refused"({ base }) {
    const lab = createPlainClient({ connection: { http2: true } });
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
});
