import { afterEach, expect, test } from "vitest";
import type { Transport, UntrustedPeerLimits } from "../../kernel/jupyter/zmtp/mod.ts";
import { openTransport } from "../../kernel/jupyter/zmtp/open-transport.ts";
import { connectReady, type RawPeer } from "./raw-peer.ts";

const PASSWORD = "friend";
const open: Transport[] = [];
const peers: RawPeer[] = [];
const lines: string[] = [];

/** A transport whose hook trusts whoever sends the password. */
async function serve(limits: Partial<UntrustedPeerLimits>): Promise<Record<string, string>> {
  const plan = {
    sockets: {
      shell: { type: "router", endpoint: "tcp://127.0.0.1:0" },
      control: { type: "router", endpoint: "tcp://127.0.0.1:0" },
      iopub: { type: "publisher", endpoint: "tcp://127.0.0.1:0" },
    },
    untrusted: { messageSize: 1000, totalSize: 100_000, peers: 100, ...limits },
  } as const;
  const events = { received: () => undefined, log: (line: string) => void lines.push(line) };
  const transport = openTransport(plan, events, ({ send, trust }) => ({
    received({ socket, identity, frames }) {
      if (Buffer.from(frames[0] ?? []).toString() === PASSWORD) trust(socket, identity);
      send(socket, identity, [Buffer.from("seen")]);
      return true;
    },
  }));
  open.push(transport);
  return await transport.bound;
}

async function connect(endpoint = "", type = "DEALER"): Promise<RawPeer> {
  const peer = await connectReady(endpoint, type);
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
  for (const transport of open.splice(0)) await transport.close(0);
  lines.length = 0;
});

test("the message of an untrusted peer is limited, that of a trusted peer is not", async () => {
  const { shell } = await serve({});
  const untrusted = await connect(shell);
  untrusted.write(frame(900));
  await seen(untrusted);
  untrusted.write(frame(1100));
  await untrusted.ended;
  expect(lines.join()).toContain("it claims 1100 bytes, more than the 1000 allowed");
  const friend = await connect(shell);
  // At once, as a front end does that does not wait for the answer.
  friend.write(word(PASSWORD), frame(500_000));
  await seen(friend, 2);
});

test("many empty frames of an untrusted peer count as a large message", async () => {
  const { shell } = await serve({});
  const untrusted = await connect(shell);
  for (let count = 0; count < 100; count++) untrusted.write([1, 0]);
  await untrusted.ended;
  expect(lines.join()).toContain("it has more than the 1000 bytes allowed");
});

test("if untrusted peers hold too much together, on any sockets, the largest is ended", async () => {
  const limits = { messageSize: 60_000, totalSize: 100_000 };
  const { shell, control } = await serve(limits);
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
  expect(lines.join()).toContain("those of other untrusted peers exceed 100000 bytes");
  expect([friend, small, last].map(isOpen)).toEqual([true, true, true]);
  small.write(frame(1000).subarray(500));
  await seen(small);
});

test("what an ended peer held no longer counts", async () => {
  const { shell } = await serve({ messageSize: 60_000, totalSize: 100_000 });
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

test("beyond the limit the oldest untrusted peer is ended, and trusted peers stay", async () => {
  const { shell } = await serve({ peers: 3 });
  const friends = [await connect(shell), await connect(shell)];
  for (const friend of friends) {
    friend.write(word(PASSWORD));
    await seen(friend);
  }
  const untrusted: RawPeer[] = [];
  for (let count = 0; count < 5; count++) untrusted.push(await connect(shell));
  await Promise.all([untrusted[0]?.ended, untrusted[1]?.ended]);
  expect([...untrusted.slice(2), ...friends].map(isOpen)).toEqual(Array(5).fill(true));
});

test("connected subscribers stay, and those beyond the limit are refused", async () => {
  const { iopub } = await serve({ peers: 3 });
  const first = [];
  for (let count = 0; count < 3; count++) first.push(await connect(iopub, "SUB"));
  const refused = await connect(iopub, "SUB").catch((error: Error) => error.message);
  expect(refused).toMatch(/^Ended/);
  expect(first.map(isOpen)).toEqual([true, true, true]);
});
