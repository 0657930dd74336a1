import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { Agent, request } from "node:http";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

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

/** What holds of the demo over real HTTP, whichever runtime it is spawned under. */
export function demoContract(runtime: string, command: string, ...parameters: string[]): void {
  describe(`the demo under ${runtime}`, () => {
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

    beforeAll(async () => {
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

    test("listens on loopback and refuses a port that is taken, saying what to do", () => {
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

    test("a body comes back as sent, in one piece or chunked", async () => {
      const { body } = await ask("POST /echo", new TextEncoder().encode("Grüße"));
      expect(JSON.parse(body.toString())).toMatchObject({ body: "Grüße", size: 7 });
      const chunked = await fetch(`${started.url}/echo`, {
        method: "POST",
        body: new Blob(["a", "b"]).stream(),
        duplex: "half",
      } as RequestInit);
      expect(await chunked.json()).toMatchObject({ body: "ab" });
    });

    test("a body that is too long is refused", async () => {
      expect(await ask("POST /echo", new Uint8Array(9_000_000))).toMatchObject({ status: 413 });
    });

    test("a long listing arrives whole", async () => {
      const { headers, body } = await ask("GET /listing?rows=50000");
      expect(headers["transfer-encoding"]).toBe("chunked");
      expect(JSON.parse(body.toString())).toHaveLength(50_000);
    });

    test("a client that goes in the middle of a listing or a wait does no harm", async () => {
      for (const path of ["/listing?rows=1000000", "/slow?ms=60000"]) {
        const leaving = new AbortController();
        const answer = fetch(`${started.url}${path}`, { signal: leaving.signal });
        setTimeout(() => leaving.abort(), 50);
        await expect(answer.then((received) => received.text())).rejects.toThrow();
      }
      expect(await ask("GET /users/1")).toMatchObject({ status: 200 });
    });

    test("close ends open connections and requests, the process ends, nothing is printed", async () => {
      const waiting = ask("GET /slow?ms=60000").then(
        () => "answered",
        () => "ended",
      );
      // The wait has begun when a later request is answered.
      await ask("GET /empty");
      child.stdin.end();
      expect(await say()).toBe('"closed"');
      expect(await waiting).toBe("ended");
      if (child.exitCode === null) await once(child, "exit");
      expect([child.exitCode, errors]).toEqual([0, ""]);
    });
  });
}
