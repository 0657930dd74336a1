import { afterEach, expect, test } from "vitest";
import {
  type BoundSocket,
  bindRouter,
  type Router,
  UnverifiedPeers,
} from "../../kernel/jupyter/zmtp/mod.ts";
import { connectReady, type RawPeer } from "./raw-peer.ts";

const PASSWORD = "friend";
const open: BoundSocket[] = [];
const peers: RawPeer[] = [];
const lines: string[] = [];

/** Two routers, which verify whoever sends the password. */
async function serve(limit: number): Promise<Record<"shell" | "control", string>> {
  const unverified = new UnverifiedPeers(limit);
  const bind = async (): Promise<string> => {
    const router: Router = await bindRouter({
      endpoint: "tcp://127.0.0.1:0",
      unverified,
      log: (line) => void lines.push(line),
      receive({ identity, frames }) {
        if (Buffer.from(frames[0] ?? []).toString() === PASSWORD) router.verified(identity);
        router.send(identity, [Buffer.from("seen")]);
      },
    });
    open.push(router);
    return router.endpoint;
  };
  return { shell: await bind(), control: await bind() };
}

async function connect(endpoint: string): Promise<RawPeer> {
  const peer = await connectReady(endpoint, "DEALER");
  peers.push(peer);
  return peer;
}

const frame = (size: number): Buffer => {
  const header = Buffer.alloc(9);
  header[0] = 2;
  header.writeBigUInt64BE(BigInt(size), 1);
  return Buffer.concat([header, Buffer.alloc(size)]);
};
const word = (text: string): Buffer => Buffer.from([0, text.length, ...Buffer.from(text)]);
const seen = async (peer: RawPeer, times = 1): Promise<void> => {
  while (peer.received().toString().split("seen").length <= times) {
    await peer.until(peer.received().length + 1);
  }
};
const isOpen = (peer: RawPeer): boolean => !peer.socket.closed;

afterEach(async () => {
  for (const { socket } of peers.splice(0)) socket.destroy();
  for (const socket of open.splice(0)) await socket.close(0);
  lines.length = 0;
});

test("the message of an unverified peer is limited, that of a verified peer is not", async () => {
  const { shell } = await serve(1000);
  const unverified = await connect(shell);
  unverified.write(frame(900));
  await seen(unverified);
  unverified.write(frame(1100));
  await unverified.ended;
  expect(lines.join()).toContain("it claims 1100 bytes, more than the 1000 allowed");
  const friend = await connect(shell);
  // At once, as a front end does that does not wait for the answer.
  friend.write(word(PASSWORD), frame(500_000));
  await seen(friend, 2);
});

test("many empty frames of an unverified peer count as a large message", async () => {
  const { shell } = await serve(1000);
  const unverified = await connect(shell);
  for (let count = 0; count < 100; count++) unverified.write([1, 0]);
  await unverified.ended;
  expect(lines.join()).toContain("it has more than the 1000 bytes allowed");
});

test("if unverified peers hold too much together, on any sockets, the largest is ended", async () => {
  const { shell, control } = await serve(100_000);
  const friend = await connect(shell);
  friend.write(word(PASSWORD));
  await seen(friend);
  friend.write(frame(1_000_000).subarray(0, 900_000));
  const small = await connect(shell);
  small.write(frame(1000).subarray(0, 500));
  const [large, last] = [await connect(shell), await connect(control)];
  large.write(frame(55_000).subarray(0, 54_000));
  last.write(frame(50_000).subarray(0, 49_000));
  await large.ended;
  expect(lines.join()).toContain("those of other unverified peers exceed 100000 bytes");
  expect([friend, small, last].map(isOpen)).toEqual([true, true, true]);
  small.write(frame(1000).subarray(500));
  await seen(small);
});

test("what an ended peer held no longer counts", async () => {
  const { shell } = await serve(100_000);
  for (let round = 0; round < 10; round++) {
    const peer = await connect(shell);
    peer.write(word("hello"), frame(50_000).subarray(0, 49_000));
    await seen(peer);
    peer.socket.destroy();
    await peer.ended;
  }
  const last = await connect(shell);
  last.write(frame(55_000));
  await seen(last);
});
