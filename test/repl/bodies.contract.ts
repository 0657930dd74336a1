import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { WebSocketServer } from "ws";
import { type Ended, RUNTIMES, type RuntimeName, restlab } from "../support/command.ts";
import { watchPeak } from "../support/peak-memory.ts";
import { endWithTests } from "../support/processes.ts";
import { RUNTIME } from "../support/runtime.ts";

const MIB = 1_048_576;
/** More than a client keeps of a body. */
const LENGTH = 300 * MIB;
/** A runtime with the client in it takes about 130 MB, and twice that under load. */
const MAX_MEMORY = 450 * MIB;

interface Read extends Omit<Ended, "output"> {
  readonly length: number;
  readonly hash: string;
  readonly peak: number;
}

interface ReadOptions {
  /** Is awaited before anything is read. */
  readonly before?: () => Promise<void>;
  /** After so many bytes the reader goes. */
  readonly most?: number;
}

/** Runs restlab and reads what it writes as bytes that are counted and not kept. */
async function readBodies(
  runtime: RuntimeName,
  args: readonly string[],
  { before, most = Number.POSITIVE_INFINITY }: ReadOptions = {},
): Promise<Read> {
  const [program, ...first] = RUNTIMES[runtime];
  const child = endWithTests(
    spawn(program, [...first, ...args], { stdio: ["ignore", "pipe", "pipe"] }),
  );
  const peak = watchPeak(child);
  const hash = createHash("sha256");
  let length = 0;
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.on("error", reject);
    child.on("exit", resolve);
  });
  await before?.();
  for await (const chunk of child.stdout as AsyncIterable<Buffer>) {
    hash.update(chunk);
    length += chunk.byteLength;
    // Leaving the loop closes the pipe.
    if (length >= most) break;
  }
  const status = await ended;
  return { status, stdout: "", stderr, length, hash: hash.digest("hex"), peak: peak() };
}

/** Bytes that tell where they stand. */
function pieceAt(index: number): Buffer {
  return Buffer.alloc(MIB, `piece ${index} `);
}

/** What `--body` and time limits promise of bodies without an end, on one runtime. */
function describeBodies(runtime: RuntimeName): void {
  describe(`bodies of any length on ${runtime}`, () => {
    let server: Server;
    let base = "";
    let sent = 0;

    function stream(response: ServerResponse, pieces: number): void {
      let index = 0;
      const go = (): void => {
        while (index < pieces && !response.destroyed) {
          sent += MIB;
          if (!response.write(pieceAt(index++))) return void response.once("drain", go);
        }
        response.end();
      };
      go();
    }

    /** Settles when the server has sent something and can send no more. */
    async function stalled(): Promise<void> {
      for (let before = -1; sent === 0 || before !== sent; ) {
        before = sent;
        await pause(500);
      }
    }

    beforeAll(async () => {
      server = createServer((request, response) => {
        sent = 0;
        if (request.url === "/large") stream(response, LENGTH / MIB);
        else if (request.url === "/some") stream(response, 2);
        else if (request.url === "/silent") response.write("first");
        else response.setHeader("Content-Type", "application/json").end('{"id": 7}\n');
      });
      const sockets = new WebSocketServer({ server });
      sockets.on("connection", (peer) => {
        const message = "y".repeat(100_000);
        const go = (): void => {
          if (peer.readyState === peer.OPEN) peer.send(message, () => setImmediate(go));
        };
        peer.on("error", () => undefined);
        for (let at = 0; at < 8; at++) go();
      });
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    });
    afterAll(() => {
      server.closeAllConnections();
      server.close();
    });

    test("--body writes 300 MB as they arrive, at the speed of the reader", async () => {
      const hash = createHash("sha256");
      for (let index = 0; index < LENGTH / MIB; index++) hash.update(pieceAt(index));
      let waited = 0;
      const read = await readBodies(runtime, ["--body", "-e", `GET ${base}/large`], {
        before: async () => {
          await stalled();
          waited = sent;
        },
      });
      expect([read.status, read.stderr, read.length]).toEqual([0, "", LENGTH]);
      expect(read.hash).toBe(hash.digest("hex"));
      expect(waited).toBeLessThan(LENGTH / 3);
      expect(read.peak).toBeLessThan(MAX_MEMORY);
    });

    test("--body ends without an error when its reader does", async () => {
      const read = await readBodies(runtime, ["--body", "-e", `GET ${base}/large`], { most: 1 });
      expect([read.status, read.stderr]).toEqual([0, ""]);
      expect(read.length).toBeLessThan(LENGTH);
    });

    test.each(["--body", "--json"])("%s says where a body was cut, and fails", async (form) => {
      const code = `await client.send("GET ${base}/some", { maxBodyBytes: 1000 })`;
      const { status, stdout, stderr } = await restlab(runtime, [form, "-e", code]);
      expect(stderr).toBe(
        "The body written is incomplete. The body was cut after 1000 bytes; maxBodyBytes sets the limit\n",
      );
      expect(stdout).toContain("piece 0 piece 0");
      expect(status).toBe(1);
    });

    test("bodies keep their order, and later requests can refer to them", async () => {
      const { status, stdout } = await restlab(runtime, [
        ...["--body", "-e", `# @name one\nGET ${base}/one\n\n###\nGET ${base}/{{one.id}}`],
        ...["-e", `GET ${base}/{{one.response.body.id}}`, "-e", "client.last.url"],
      ]);
      expect(stdout).toBe(`${'{"id": 7}\n'.repeat(3)}${base}/7\n`);
      expect(status).toBe(0);
    });

    test("a time limit that was set applies to a body that is written as it arrives", async () => {
      const { status, stdout, stderr } = await restlab(runtime, [
        ...["--body", "--timeout", "2", "-e", `GET ${base}/silent`],
      ]);
      expect(stdout).toBe("first");
      expect(stderr).toContain("timed out after 2 s");
      expect(status).toBe(1);
    });

    test("a flood of a WebSocket is bounded, and ends with the time limit", async () => {
      const socket = base.replace("http:", "ws:");
      const args = ["--body", "--timeout", "4", "-e", `WEBSOCKET ${socket}/flood`];
      const { status, stderr, length, peak } = await readBodies(runtime, args);
      expect(stderr).toMatch(
        /^The body written is incomplete\. The conversation was stopped by its timeout of 4000 ms/,
      );
      expect(status).toBe(1);
      expect(length).toBeGreaterThan(100_000);
      expect(length).toBeLessThan(36 * MIB);
      expect(peak).toBeLessThan(2 * MAX_MEMORY);
    });
  });
}

describeBodies(RUNTIME);
