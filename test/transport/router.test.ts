import { afterEach, expect, test } from "vitest";
import { Dealer, Router as ZmqRouter } from "zeromq";
import { bindRouter, type RoutedMessage, type Router } from "../../kernel/jupyter/zmtp/router.ts";
import { connectRaw, connectReady, greeting, ready } from "./raw-peer.ts";

const MEGABYTE = 1024 * 1024;
const cleanups: (() => unknown)[] = [];
const lines: string[] = [];

async function collect(
  options: Partial<Parameters<typeof bindRouter>[0]> = {},
): Promise<{ router: Router; messages: RoutedMessage[] }> {
  const messages: RoutedMessage[] = [];
  const router = await bindRouter({
    endpoint: "tcp://127.0.0.1:0",
    receive: (message) => void messages.push(message),
    log: (line) => void lines.push(line),
    ...options,
  });
  cleanups.push(() => router.close(0));
  return { router, messages };
}

function dealer(endpoint: string, routingId?: string): Dealer {
  const socket = new Dealer({
    linger: 0,
    receiveTimeout: 60_000,
    ...(routingId === undefined ? {} : { routingId }),
  });
  cleanups.unshift(() => socket.close());
  socket.connect(endpoint);
  return socket;
}

afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup();
  lines.length = 0;
});

test("a peer is identified by its own identity, or by five bytes that begin with 0", async () => {
  const { router, messages } = await collect();
  await dealer(router.endpoint, "session-1").send("a");
  await dealer(router.endpoint).send("b");
  await expect.poll(() => messages.length).toBe(2);
  const [named, unnamed] = messages.sort((one, other) =>
    String(one.frames[0]).localeCompare(String(other.frames[0])),
  );
  expect(String(Buffer.from(named?.identity ?? []))).toBe("session-1");
  expect(unnamed?.identity).toHaveLength(5);
  expect(unnamed?.identity[0]).toBe(0);
});

test("a reply reaches its peer alone; send returns false for an unknown peer", async () => {
  const { router, messages } = await collect();
  const [one, other] = [dealer(router.endpoint, "one"), dealer(router.endpoint, "other")];
  await one.send("x");
  await other.send("x");
  await expect.poll(() => messages.length).toBe(2);
  expect(router.send(Buffer.from("one"), [Buffer.from("to one")])).toBe(true);
  expect(router.send(Buffer.from("nobody"), [Buffer.from("lost")])).toBe(false);
  expect(router.send(Buffer.from("other"), [])).toBe(false);
  expect(router.send(Buffer.from("other"), [Buffer.from("to other")])).toBe(true);
  expect(String(await one.receive())).toBe("to one");
  expect(String(await other.receive())).toBe("to other");
});

test("a ROUTER of libzmq is served as well", async () => {
  const { router, messages } = await collect();
  const peer = new ZmqRouter({ linger: 0, routingId: "peer", mandatory: true });
  cleanups.unshift(() => peer.close());
  peer.connect(router.endpoint);
  await expect.poll(() => router.peers).toBe(1);
  router.send(Buffer.from("peer"), [Buffer.from("hello")]);
  const [identity, hello] = await peer.receive();
  expect(String(hello)).toBe("hello");
  await peer.send([identity ?? "", "back"]);
  await expect
    .poll(() => messages.map(({ frames }) => String(Buffer.from(frames[0] ?? []))))
    .toEqual(["back"]);
});

test("a second peer with the same identity is refused while the first is connected", async () => {
  const { router, messages } = await collect();
  const first = await connectReady(router.endpoint, "DEALER", "same");
  const second = connectRaw(router.endpoint);
  second.write(greeting(3, 1), ready("DEALER", "same"));
  await second.ended;
  await expect
    .poll(() => lines)
    .toEqual([
      `ROUTER ${router.endpoint}: Handshake failed: a peer with this identity is connected`,
    ]);
  first.write([0, 1, 65]);
  await expect.poll(() => messages.length).toBe(1);
  first.socket.destroy();
  await expect.poll(() => router.peers).toBe(0);
  const third = await connectReady(router.endpoint, "DEALER", "same");
  third.write([0, 1, 66]);
  await expect.poll(() => messages.length).toBe(2);
  third.socket.destroy();
});

test("a peer that does not read is no longer read from, and disconnected at the high-water mark", async () => {
  const { router, messages } = await collect({
    queueSize: 8 * MEGABYTE,
  });
  const slow = await connectReady(router.endpoint, "DEALER", "slow");
  slow.socket.pause();
  const identity = Buffer.from("slow");
  const block = new Uint8Array(MEGABYTE);
  await expect.poll(() => router.send(identity, [block])).toBe(true);
  let sent = 1;
  // The system's own buffers take some; then half of the mark waits.
  while (sent < 9) {
    router.send(identity, [block]);
    sent += 1;
    await new Promise(setImmediate);
  }
  slow.write([0, 1, 65]);
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(messages).toHaveLength(0);
  slow.socket.resume();
  await expect.poll(() => messages.length).toBe(1);
  await slow.until(sent * MEGABYTE);
  slow.socket.pause();
  for (sent = 0; router.send(identity, [block]) && sent < 1000; sent += 1)
    await new Promise(setImmediate);
  expect(sent).toBeLessThan(50);
  await expect.poll(() => router.peers).toBe(0);
  await expect
    .poll(() => lines.at(-1))
    .toContain("Too many replies wait for a peer that does not read");
  slow.socket.destroy();
});

test("thousands of peers connect and disconnect, and none is retained", async () => {
  const { router } = await collect();
  for (let round = 0; round < 100; round += 1) {
    const peers = await Promise.all(
      Array.from({ length: 20 }, () => connectReady(router.endpoint, "DEALER")),
    );
    for (const { socket } of peers) socket.destroy();
  }
  await expect.poll(() => router.peers).toBe(0);
});

test("close ends at once if nothing is queued, and frees the port", async () => {
  const { router } = await collect();
  const peer = await connectReady(router.endpoint, "DEALER");
  await router.close(10_000);
  await peer.ended;
  const again = await collect({ endpoint: router.endpoint });
  expect(again.router.endpoint).toBe(router.endpoint);
});
