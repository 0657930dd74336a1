import assert from "node:assert/strict";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { explore } from "../../support/explore.ts";
import { type Check, type Context, checks } from "../check.ts";

/** Whether the clients of the library send a body with GET; those on the fetch of the runtime refuse it. */
async function sendsBody({ lib, base }: Context): Promise<boolean> {
  try {
    await lib.createClient().send({ method: "GET", url: `${base}/echo`, body: "hi" });
    return true;
  } catch (error) {
    assert.match(String(error), /^UnsendableRequestError: Cannot send GET .* with a body: /);
    return false;
  }
}

/** Answers each connection once, in turn, and gives what it received with the last answer. */
async function startRaw(...answers: readonly string[]) {
  const received: string[] = [];
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    let message = "";
    socket.on("data", (data) => {
      message += data.toString("latin1");
      const [head = "", body] = message.split("\r\n\r\n");
      const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
      if (body === undefined || body.length < length) return;
      const answer = answers[received.push(message) - 1] ?? "";
      socket.end(`HTTP/1.1 ${answer}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { base, received, close: () => void server.close() };
}

function summary(message: string): string {
  const [, method, path] = /^(\S+) (\S+)/.exec(message) ?? [];
  return `${method} ${path} ${message.split("\r\n\r\n")[1]}`;
}

/** A body with GET goes through all that a request goes through. */
export const getBodyChecks: readonly Check[] = checks({
  async "a body with GET is what the exchange, its curl command and its text show"(context) {
    if (!(await sendsBody(context))) return;
    const { lib, base } = context;
    const lab = lib.createClient();
    const exchange = await lab.send(`GET ${base}/echo\n\n{"a": 1}`);
    assert.equal(explore(exchange.json).body, '{"a": 1}');
    assert.equal(exchange.request.body, '{"a": 1}');
    assert.equal(exchange.sizes.request.body, 8);
    assert.deepEqual(exchange.warnings, []);
    assert.equal(explore((await lab.send(exchange.toCurl())).json).body, '{"a": 1}');
    assert.equal(explore((await lab.send(exchange.toHttp())).json).body, '{"a": 1}');
    const bytes = new Blob(["stream"]);
    const streamed = await lab.send({ method: "GET", url: `${base}/echo`, body: bytes });
    assert.equal(explore(streamed.json).body, "stream");
  },
  async "it is signed and sent again after a challenge"(context) {
    if (!(await sendsBody(context))) return;
    const { lib, base, digest } = context;
    const lab = lib.createClient();
    const url = `${digest}/digest?algorithm=SHA-256&qop=auth-int&user=ada&password=x`;
    const answered = await lab.send(`GET ${url}\nAuthorization: Digest ada x\n\nhello`);
    assert.equal(answered.status, 200);
    const auth = { type: "aws", accessKeyId: "A", secretAccessKey: "s" } as const;
    const sign = async (body: string): Promise<string> => {
      const now = (): Date => new Date(0);
      const options = { auth: { ...auth, region: "eu-west-1", service: "es" }, now };
      const { json } = await lib.createClient(options).send(`GET ${base}/echo\n\n${body}`);
      return explore(json).headers.authorization;
    };
    assert.notEqual(await sign('{"a": 1}'), await sign('{"a": 2}'));
  },
  async "it is sent again by a retry, and by redirects other than 303"(context) {
    if (!(await sendsBody(context))) return;
    const next = "\r\nLocation: /next";
    const { base, received, close } = await startRaw(
      "503 Busy",
      `302 Found${next}`,
      `307 Again${next}`,
      `303 See${next}`,
      "200 OK",
    );
    try {
      const seen: string[] = [];
      const lab = context.lib.createClient({
        retry: { limit: 1, delay: 1 },
        ky: { hooks: { beforeRequest: [(request) => void seen.push(request.method)] } },
      });
      const { redirects, request } = await lab.send(`GET ${base}/one\n\n{}`);
      assert.deepEqual(received.map(summary), [
        "GET /one {}",
        "GET /one {}",
        "GET /next {}",
        "GET /next {}",
        "GET /next ",
      ]);
      assert.deepEqual([redirects.length, request.body, seen], [3, "{}", ["GET", "GET"]]);
    } finally {
      close();
    }
  },
});
