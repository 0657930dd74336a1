import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";
import { afterAll, expect, test } from "vitest";
import { Channels, type Job, MOST_UNREAD } from "../../kernel/jupyter/channels.ts";
import { LOOP_SLOTS } from "../../kernel/platform/mod.ts";

const folder = mkdtempSync(join(tmpdir(), "restlab-worker-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let workers = 0;
/** Channels whose thread runs this program. */
function open(program: string): { channels: Channels; failures: Error[]; lines: string[] } {
  const path = join(folder, `worker-${workers++}.mjs`);
  writeFileSync(path, program);
  const failures: Error[] = [];
  const lines: string[] = [];
  const nothing = (): void => undefined;
  const channels = new Channels(
    new Worker(pathToFileURL(path)),
    { runtime: "none", inspector: undefined },
    {
      request: nothing,
      interrupt: nothing,
      shutdown: nothing,
      failed: (error) => void failures.push(error),
      log: (line) => void lines.push(line),
    },
  );
  return { channels, failures, lines };
}

test.each([
  ["throws", 'throw new Error("broken at its start")', /broken at its start/],
  ["ends", "process.exit(3)", /The socket thread ended with code 3/],
])(
  "a socket thread that %s is reported, and what is sent then goes nowhere",
  async (_how, program, message) => {
    const { channels, failures } = open(program);
    await expect(channels.bound).rejects.toThrow(message);
    expect(failures).toHaveLength(1);
    channels.signal();
    await channels.close(0);
    expect(failures).toHaveLength(1);
  },
);

test("close ends a socket thread that does not reply", async () => {
  const { channels, failures } = open("while (true);");
  await channels.close(0);
  expect(failures).toEqual([]);
});

/** A socket thread that takes a millisecond for what is posted at once, and logs at its end what it has got. */
const SLOW_READER = `
  import { parentPort } from "node:worker_threads";
  const pause = new Int32Array(new SharedArrayBuffer(4));
  let shared, most = 0, posts = 0, text = "", first = "";
  parentPort.on("message", (message) => {
    if ("loops" in message) {
      shared = new Int32Array(message.loops);
      parentPort.postMessage({ kind: "bound" });
      return;
    }
    Atomics.wait(pause, 0, 0, 1);
    most = Math.max(most, Atomics.load(shared, ${LOOP_SLOTS.unread}));
    posts += 1;
    for (const it of message.messages) text += it.text ?? "";
    first ||= text;
    Atomics.sub(shared, ${LOOP_SLOTS.unread}, message.weight);
    Atomics.notify(shared, ${LOOP_SLOTS.unread});
    if (!message.messages.some(({ kind }) => kind === "close")) return;
    parentPort.postMessage({ kind: "log", line: JSON.stringify({ most, posts, text, first }) });
    parentPort.postMessage({ kind: "closed" });
  });`;
const job = { number: 1, channel: "shell", header: { msg_id: "1" }, content: {} } as Job;

test("the lines of a loop are posted in few pieces, the first at once", async () => {
  const { channels, lines } = open(SLOW_READER);
  const printed = Array.from({ length: 10_000 }, (_, index) => `${index}\n`);
  await channels.bound;
  channels.runScript(() => {
    for (const line of printed) {
      channels.stream("stdout", line, job);
      channels.mustEnd();
    }
  });
  await channels.close(60_000);
  const { posts, text, first } = JSON.parse(lines[0] ?? "{}");
  expect(text).toBe(printed.join(""));
  expect(first).toBe("0\n");
  expect(posts).toBeLessThan(200);
});

test("what a loop prints waits until the socket thread has read most of what was printed before", async () => {
  const { channels, lines } = open(SLOW_READER);
  const text = "x".repeat(100_000);
  await channels.bound;
  channels.runScript(() => {
    for (let count = 0; count < 400; count++) channels.stream("stdout", text, job);
  });
  await channels.close(60_000);
  const { most } = JSON.parse(lines[0] ?? "{}");
  expect(most).toBeGreaterThan(MOST_UNREAD / 2);
  expect(most).toBeLessThan(MOST_UNREAD * 1.5);
});
