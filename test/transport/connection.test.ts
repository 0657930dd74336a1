import { afterEach, expect, test } from "vitest";
import { bindPublisher } from "../../kernel/jupyter/zmtp/publisher.ts";
import { bindReplier, bindRouter, type Router } from "../../kernel/jupyter/zmtp/router.ts";
import { command, connectRaw, connectReady, greeting, ready } from "./raw-peer.ts";

const HANDSHAKE_SIZE = 64 + ready("ROUTER").length - "xIdentity0000".length;
const open: { close(linger?: number): Promise<void> }[] = [];
const lines: string[] = [];
const log = (line: string): void => void lines.push(line);

async function echo(options: Partial<Parameters<typeof bindRouter>[0]> = {}): Promise<Router> {
  const router: Router = await bindRouter({
    endpoint: "tcp://127.0.0.1:0",
    log,
    receive: ({ identity, frames }) => void router.send(identity, frames),
    ...options,
  });
  open.push(router);
  return router;
}

afterEach(async () => {
  for (const socket of open.splice(0)) await socket.close(0);
  lines.length = 0;
});

test("the handshake gives greeting, READY with the socket type, and then messages, byte by byte", async () => {
  const router = await echo();
  const peer = connectRaw(router.endpoint);
  for (const byte of Buffer.concat([
    greeting(3, 0),
    ready("DEALER", "me"),
    Buffer.from([1, 1, 65, 0, 1, 66]),
  ])) {
    peer.write([byte]);
    await new Promise(setImmediate);
  }
  const bytes = await peer.until(HANDSHAKE_SIZE + 6);
  expect(bytes.subarray(64).toString("latin1")).toBe(
    "\x04\x1c\x05READY\x0bSocket-Type\0\0\0\x06ROUTER\x01\x01A\0\x01B",
  );
  expect(router.peers).toBe(1);
});

test("a greeting, READY and messages may arrive in one segment", async () => {
  const router = await echo();
  const peer = connectRaw(router.endpoint);
  peer.write(greeting(3, 1), ready("REQ"), [1, 0, 0, 1, 66]);
  const bytes = await peer.until(HANDSHAKE_SIZE + 5);
  expect([...bytes.subarray(HANDSHAKE_SIZE)]).toEqual([1, 0, 0, 1, 66]);
});

test("a silent peer is disconnected after the handshake timeout", async () => {
  const router = await echo({ handshakeTimeout: 50 });
  const silent = connectRaw(router.endpoint);
  const half = connectRaw(router.endpoint);
  half.write(greeting(3, 1));
  const good = await connectReady(router.endpoint, "DEALER");
  await Promise.all([silent.ended, half.ended]);
  await expect
    .poll(() => lines)
    .toEqual(Array(2).fill(`ROUTER ${router.endpoint}: No handshake within 50 ms`));
  good.write([0, 1, 65]);
  await good.until(HANDSHAKE_SIZE + 3);
});

test.each([
  ["another protocol", [Buffer.from("SSH-2.0-OpenSSH\r\n")], /begins with 0x53/],
  ["ZMTP 2.0", [greeting(1, 5)], /ZMTP 2.0/],
  ["ZMTP 1.0", [Buffer.from([1, 0])], /begins with 0x01/],
  ["CURVE", [greeting(3, 1, "CURVE")], /mechanism is "CURVE"/],
  [
    "a message before READY",
    [greeting(3, 1), Buffer.from([0, 1, 65])],
    /expected READY, received a message/,
  ],
  [
    "another command before READY",
    [greeting(3, 1), command("PING")],
    /expected READY, received PING/,
  ],
  [
    "an ERROR",
    [greeting(3, 1), command("ERROR", Buffer.from([0]))],
    /expected READY, received ERROR/,
  ],
  [
    "a READY beyond the handshake's size",
    [greeting(3, 1), Buffer.from([6, 0, 0, 0, 0, 0, 2, 0, 0])],
    /131072 bytes/,
  ],
  [
    "a flags byte that is not defined",
    [greeting(3, 1), ready("DEALER"), Buffer.from([0x40])],
    /flags 0x40/,
  ],
])("%s ends that connection with a line in the log", async (_name, parts, line) => {
  const router = await echo();
  const peer = connectRaw(router.endpoint);
  peer.write(...parts);
  await peer.ended;
  await expect.poll(() => lines.length).toBe(1);
  expect(lines[0]).toMatch(line);
});

test("a peer of the wrong type receives an ERROR", async () => {
  const router = await echo();
  const publisher = await bindPublisher({ endpoint: "tcp://127.0.0.1:0", log });
  const replier = await bindReplier({ endpoint: "tcp://127.0.0.1:0", log });
  open.push(publisher, replier);
  for (const [{ endpoint }, type] of [
    [router, "SUB"],
    [publisher, "DEALER"],
    [replier, "ROUTER"],
  ] as const) {
    const peer = connectRaw(endpoint);
    peer.write(greeting(3, 1), ready(type));
    await peer.ended;
    expect(peer.received().subarray(64).toString("latin1")).toBe(
      "\x04\x1a\x05ERROR\x13Invalid socket type",
    );
  }
  await expect.poll(() => lines[0]).toContain('a ROUTER does not serve "SUB"');
});

test("a message beyond the maximum is refused, by one frame, their sum or their count", async () => {
  const router = await echo({ messageSize: 10_000 });
  const large = [2, 0, 0, 0, 0, 0, 0, 0x27, 0x11];
  const frame = Buffer.concat([Buffer.from([3, 0, 0, 0, 0, 0, 0, 0x13, 0x88]), Buffer.alloc(5000)]);
  for (const bytes of [
    large,
    Buffer.concat([frame, frame]),
    Buffer.from(Array(2000).fill([1, 0]).flat()),
  ]) {
    const peer = await connectReady(router.endpoint, "DEALER");
    peer.write(bytes);
    await peer.ended;
  }
  await expect.poll(() => lines.length).toBe(3);
  const peer = await connectReady(router.endpoint, "DEALER");
  peer.write(frame, [0, 0]);
  await peer.until(HANDSHAKE_SIZE + frame.length + 2);
});

test("PING is answered with PONG and its context, also between the frames of a message", async () => {
  const router = await echo();
  const peer = await connectReady(router.endpoint, "DEALER");
  await peer.until(HANDSHAKE_SIZE);
  peer.write([1, 1, 65], command("PING", Buffer.from("\0\0context")), [0, 1, 66], command("PING"));
  const bytes = await peer.until(HANDSHAKE_SIZE + 14 + 6 + 7);
  expect(bytes.subarray(HANDSHAKE_SIZE).toString("latin1")).toBe(
    "\x04\x0c\x04PONGcontext\x01\x01A\0\x01B\x04\x05\x04PONG",
  );
});

test("unknown commands after the handshake are ignored", async () => {
  const router = await echo();
  const peer = await connectReady(router.endpoint, "DEALER");
  peer.write(command("JOIN", Buffer.from("group")), [0, 1, 65]);
  await peer.until(HANDSHAKE_SIZE + 3);
});
