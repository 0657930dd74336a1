import { afterEach, expect, test } from "vitest";
import { Subscriber, XSubscriber } from "zeromq";
import { bindPublisher, type Publisher } from "../../kernel/jupyter/zmtp/publisher.ts";
import { connectReady, subscribe } from "./raw-peer.ts";

const MEGABYTE = 1024 * 1024;
const cleanups: (() => unknown)[] = [];
const subscribed: string[] = [];
const text = (value: string): Uint8Array => Buffer.from(value);

async function publisher(
  options: Partial<Parameters<typeof bindPublisher>[0]> = {},
): Promise<Publisher> {
  const socket = await bindPublisher({
    endpoint: "tcp://127.0.0.1:0",
    subscribed: (prefix) => void subscribed.push(String(Buffer.from(prefix))),
    ...options,
  });
  cleanups.push(() => socket.close(0));
  return socket;
}

afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup();
  subscribed.length = 0;
});

test("SUB and XSUB of libzmq receive what they subscribed to, until they cancel", async () => {
  const socket = await publisher();
  const sub = new Subscriber({ linger: 0, receiveTimeout: 60_000 });
  const xsub = new XSubscriber({ linger: 0, receiveTimeout: 60_000 });
  cleanups.unshift(
    () => sub.close(),
    () => xsub.close(),
  );
  sub.connect(socket.endpoint);
  xsub.connect(socket.endpoint);
  sub.subscribe("a", "b");
  await xsub.send("\x01b");
  await expect.poll(() => subscribed.toSorted()).toEqual(["a", "b", "b"]);
  for (const topic of ["a1", "b1", "c1"]) socket.send([text(topic), text("x")]);
  expect([String((await sub.receive())[0]), String((await sub.receive())[0])]).toEqual([
    "a1",
    "b1",
  ]);
  expect(String((await xsub.receive())[0])).toBe("b1");
  sub.unsubscribe("a");
  sub.subscribe("done");
  await expect.poll(() => subscribed).toContain("done");
  for (const topic of ["a2", "b2"]) socket.send([text(topic)]);
  expect(String((await sub.receive())[0])).toBe("b2");
});

test("subscriptions of a 3.0 peer and of a 3.1 peer, which speaks 3.0 with us, both count", async () => {
  const socket = await publisher();
  const old = await connectReady(socket.endpoint, "SUB", "", 0);
  const recent = await connectReady(socket.endpoint, "SUB", "", 1);
  old.write([0, 2, 1, 97]);
  recent.write(subscribe("a"));
  await expect.poll(() => subscribed).toEqual(["a", "a"]);
  const before = [old.received().length, recent.received().length];
  socket.send([text("abc")]);
  expect((await old.until((before[0] ?? 0) + 5)).subarray(-5).toString("latin1")).toBe("\0\x03abc");
  expect((await recent.until((before[1] ?? 0) + 5)).subarray(-5).toString("latin1")).toBe(
    "\0\x03abc",
  );
  old.write([0, 2, 0, 97]);
  recent.write([0, 2, 0, 97], subscribe("z"));
  old.write([0, 2, 1, 122]);
  await expect.poll(() => subscribed.length).toBe(4);
  socket.send([text("abd")]);
  socket.send([text("z")]);
  expect((await old.until((before[0] ?? 0) + 8)).subarray(-3).toString("latin1")).toBe("\0\x01z");
  expect((await recent.until((before[1] ?? 0) + 8)).subarray(-3).toString("latin1")).toBe(
    "\0\x01z",
  );
  for (const { socket: connection } of [old, recent]) connection.destroy();
});

test("a slow subscriber receives whole messages in order up to the mark, and again once it reads", async () => {
  const socket = await publisher({ queueSize: 4 * MEGABYTE });
  const slow = new Subscriber({ linger: 0, receiveTimeout: 60_000, receiveHighWaterMark: 1 });
  cleanups.unshift(() => slow.close());
  slow.connect(socket.endpoint);
  slow.subscribe("");
  await expect.poll(() => subscribed).toEqual([""]);
  for (let index = 0; index < 200; index += 1) {
    socket.send([text(String(index)), new Uint8Array(MEGABYTE)]);
    await new Promise(setImmediate);
  }
  const heard: number[] = [];
  const reading = (async () => {
    for (;;) {
      const [topic, block] = await slow.receive();
      expect(block?.length).toBe(MEGABYTE);
      if (Number(topic) === 1000) return;
      heard.push(Number(topic));
    }
  })();
  await new Promise((resolve) => setTimeout(resolve, 200));
  socket.send([text("1000"), new Uint8Array(MEGABYTE)]);
  await reading;
  expect(heard.length).toBeLessThan(150);
  expect(heard).toEqual(heard.toSorted((one, other) => one - other));
  expect(heard[0]).toBe(0);
});

test("messages other than subscriptions are ignored, and a flood of subscriptions ends only its sender", async () => {
  const socket = await publisher();
  const noisy = await connectReady(socket.endpoint, "SUB");
  noisy.write([1, 1, 9, 0, 1, 9], [0, 0], [0, 1, 1]);
  await expect.poll(() => subscribed).toEqual([""]);
  const flood = await connectReady(socket.endpoint, "SUB");
  for (let index = 0; index < 20_000; index += 1) flood.write(subscribe(String(index)));
  await flood.ended;
  const before = noisy.received().length;
  socket.send([text("still")]);
  await noisy.until(before + 7);
  noisy.socket.destroy();
});

test("a message without frames is not sent", async () => {
  const socket = await publisher();
  expect(() => socket.send([])).not.toThrow();
});

test("the reply to a subscription goes to that peer alone, and only if it reads", async () => {
  const socket = await publisher({ subscribed: (prefix) => [text("welcome"), prefix] });
  const first = await connectReady(socket.endpoint, "SUB");
  first.write(subscribe());
  await expect.poll(() => first.received().includes("welcome")).toBe(true);
  const size = first.received().length;
  const second = await connectReady(socket.endpoint, "SUB");
  second.write(subscribe("a"));
  await expect.poll(() => second.received().includes("welcome")).toBe(true);
  socket.send([text("a")]);
  await first.until(size + 3);
  expect(first.received().subarray(size)).toEqual(Buffer.from([0, 1, 97]));
});
