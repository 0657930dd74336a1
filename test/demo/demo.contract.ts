import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { on, once } from "node:events";
import { Agent, request } from "node:http";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { WebSocket } from "ws";
import { createClient } from "../../lib/mod.ts";
import { launchOf, RUNTIME } from "../support/runtime.ts";

interface Started {
  readonly url: string;
  readonly port: number;
  readonly again: string;
}

interface Answer {
  readonly status: number | undefined;
  readonly reason: string | undefined;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

/** What holds of the demo over real HTTP. */
describe(`the demo under ${RUNTIME}`, () => {
  const agent = new Agent({ keepAlive: true });
  let child: ChildProcessWithoutNullStreams;
  let lines: AsyncIterator<string>;
  let started: Started;
  let errors = "";

  const say = async (): Promise<string> => (await lines.next()).value ?? `ended: ${errors}`;

  const ask = (line: string, body?: Uint8Array): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const [method = "", path = ""] = line.split(" ");
      const sent = request(`${started.url}${path}`, { method, agent }, async (received) => {
        const pieces: Buffer[] = [];
        for await (const piece of received) pieces.push(piece);
        const { statusCode: status, statusMessage: reason, headers } = received;
        resolve({ status, reason, headers, body: Buffer.concat(pieces) });
      });
      sent.on("error", reject).end(body);
    });

  const open = async (path: string): Promise<WebSocket> => {
    const socket = new WebSocket(`${started.url.replace("http", "ws")}${path}`);
    await once(socket, "open");
    return socket;
  };

  beforeAll(async () => {
    const [command, ...parameters] = await launchOf("test/demo/fixture.ts");
    child = spawn(command, parameters);
    child.stderr.on("data", (piece) => {
      errors += piece;
    });
    lines = createInterface(child.stdout)[Symbol.asyncIterator]();
    started = JSON.parse(await say());
  });
  afterAll(() => {
    agent.destroy();
    child.kill();
  });

  test("listens on loopback; a port that is in use is an error that says what to do", () => {
    expect(started.url).toBe(`http://127.0.0.1:${started.port}`);
    expect(started.again).toContain(`"127.0.0.1:${started.port}": the port is in use; stop what`);
  });

  test.each([
    ["GET /users?limit=2", 200, "OK"],
    ["HEAD /users/1", 200, "OK"],
    ["OPTIONS /users/1", 204, "No Content"],
    ["DELETE /users", 405, "Method Not Allowed"],
    ["PURGE /echo", 200, "OK"],
    ["GET /status/304", 304, "Not Modified"],
    ["GET /status/407", 407, "Proxy Authentication Required"],
    ["GET /status/599", 599, "Unassigned"],
    ["GET /redirect/2", 302, "Found"],
    ["GET /gzip", 200, "OK"],
    ["GET /slow?ms=20", 200, "OK"],
    ["GET /events?ms=0", 200, "OK"],
    ["GET /ndjson?count=0", 200, "OK"],
  ])("%s is answered with %i %s", async (line, status, reason) => {
    expect(await ask(line)).toMatchObject({ status, reason });
  });

  test("HEAD has the length of GET and no body", async () => {
    const [head, get] = [await ask("HEAD /image.png"), await ask("GET /image.png")];
    expect(head.headers["content-length"]).toBe(String(get.body.length));
    expect(head.body).toHaveLength(0);
  });

  test("echoes a body, with a length or chunked", async () => {
    const { body } = await ask("POST /echo", new TextEncoder().encode("Grüße"));
    expect(JSON.parse(body.toString())).toMatchObject({ body: "Grüße", size: 7 });
    const chunked = await fetch(`${started.url}/echo`, {
      method: "POST",
      body: new Blob(["a", "b"]).stream(),
      duplex: "half",
    } as RequestInit);
    expect(await chunked.json()).toMatchObject({ body: "ab" });
  });

  test("sends a long listing completely", async () => {
    const { headers, body } = await ask("GET /listing?rows=50000");
    expect(headers["transfer-encoding"]).toBe("chunked");
    expect(JSON.parse(body.toString())).toHaveLength(50_000);
  });

  test("a client may disconnect during a listing or a wait", async () => {
    for (const path of ["/listing?rows=1000000", "/slow?ms=60000"]) {
      const leaving = new AbortController();
      const answer = fetch(`${started.url}${path}`, { signal: leaving.signal });
      setTimeout(() => leaving.abort(), 50);
      await expect(answer.then((received) => received.text())).rejects.toThrow();
    }
    expect(await ask("GET /users/1")).toMatchObject({ status: 200 });
  });

  test("digest credentials answer a challenge, with a count for each nonce", async () => {
    const auth = { type: "digest", username: "Ada L", password: "correct-horse-42" } as const;
    const lab = createClient({ auth });
    const counts = [1, 2].map(async () => (await lab.send({ url: `${started.url}/digest` })).json);
    expect(await counts[0]).toMatchObject({ user: "Ada L", count: expect.any(Number) });
    await Promise.all(counts);
    const other = await lab.send({ url: `${started.url}/digest?a=%20b` });
    expect(other.status).toBe(200);
    const wrong = { ...auth, password: "wrong horse" };
    expect((await lab.send({ url: `${started.url}/digest` }, { auth: wrong })).status).toBe(401);
  });

  test("a token is issued, accepted, revoked, and requested again by the client", async () => {
    const auth = {
      type: "oauth2",
      grant: "client_credentials",
      tokenEndpoint: `${started.url}/oauth/token`,
      clientId: "lab 1",
      clientSecret: "s%cret",
      scope: "read write",
    } as const;
    const lab = createClient({ auth });
    const first = await lab.send({ url: `${started.url}/oauth/me` });
    expect(first.json).toMatchObject({ client: "lab 1", scope: "read write" });
    const [, token = ""] =
      first.request.headers.find(([name]) => name === "Authorization")?.[1].split(" ") ?? [];
    const client = { type: "basic", username: "lab", password: "x" } as const;
    const revocation = { url: `${started.url}/oauth/revoke`, form: { token }, auth: client };
    expect((await lab.send(revocation)).json).toEqual({ revoked: true });
    const auth2 = { type: "bearer", token } as const;
    expect((await lab.send({ url: `${started.url}/oauth/me`, auth: auth2 })).status).toBe(401);
    const again = await lab.send({ url: `${started.url}/oauth/me` });
    expect([again.status, again.notes.length]).toEqual([200, 1]);
  });

  test("a WebSocket echoes every message; other paths do no harm", async () => {
    const socket = await open("/socket");
    const heard = on(socket, "message");
    socket.send("Grüße");
    socket.send(new Uint8Array([0, 255]));
    socket.send("bye");
    const [[text, isBinary], [bytes]] = [await heard.next(), await heard.next()].map(
      ({ value }) => value as [Buffer, boolean],
    ) as [[Buffer, boolean], [Buffer]];
    expect([String(text), isBinary, [...bytes]]).toEqual(["Grüße", false, [0, 255]]);
    expect((await once(socket, "close"))[0]).toBe(1000);

    await expect(open("/nowhere")).rejects.toThrow("404");
    await expect(open("//")).rejects.toThrow("404");
    expect(await ask("GET /socket")).toMatchObject({
      status: 426,
      headers: { upgrade: "websocket" },
    });
  });

  test("close ends open connections and requests, and the process ends without output", async () => {
    const socket = await open("/socket");
    const left = once(socket, "close");
    const waiting = ask("GET /slow?ms=60000").then(
      () => "answered",
      () => "ended",
    );
    // The wait has begun when a later request is answered.
    await ask("GET /empty");
    child.stdin.end();
    expect(await say()).toBe('"closed"');
    expect(await waiting).toBe("ended");
    await left;
    if (child.exitCode === null) await once(child, "exit");
    expect([child.exitCode, errors]).toEqual([0, ""]);
  });
});
