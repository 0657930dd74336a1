import { afterEach, describe, expect, test } from "vitest";
import { connectReady, type RawPeer, subscribe } from "../transport/raw-peer.ts";
import { EXECUTE, type KernelClient, only, parentOf, typeOf } from "./kernel-client.ts";
import type { KernelProcess } from "./kernel-process.ts";

const MEGABYTE = 1024 * 1024;

/** What peers without the key can do to the kernel of the surrounding contract. */
export function describeUntrustedPeers(kernelOf: () => KernelProcess): void {
  describe("untrusted peers", () => {
    const peers: RawPeer[] = [];
    afterEach(() => {
      for (const { socket } of peers.splice(0)) socket.destroy();
    });
    const at = (channel: "shell" | "control" | "stdin" | "iopub" | "hb"): string =>
      `tcp://127.0.0.1:${kernelOf().connection[`${channel}_port`]}`;
    const connect = async (...given: Parameters<typeof connectReady>): Promise<RawPeer> => {
      const peer = await connectReady(...given);
      peers.push(peer);
      return peer;
    };
    const resultOf = async (client: KernelClient, code: string): Promise<string> => {
      const [result] = only("execute_result", await client.execute(code));
      const data = (result?.content["data"] ?? {}) as Readonly<Record<string, unknown>>;
      return String(data["text/plain"]);
    };

    test("cannot replay a message that they recorded", async () => {
      const { client, log } = kernelOf();
      await client.execute("let runs = 0");
      const { id, frames } = client.sign("execute_request", { ...EXECUTE, code: "runs += 1" });
      await client.sendFrames("shell", frames);
      await client.exchange(id);
      const recorded = frames.map((frame) => Buffer.from(frame));
      await client.sendFrames("shell", frames);
      await client.sendFrames("control", frames);
      const replaying = await connect(at("shell"), "DEALER");
      for (const [index, frame] of recorded.entries()) {
        const size = Buffer.alloc(8);
        size.writeBigUInt64BE(BigInt(frame.length));
        replaying.write([index < recorded.length - 1 ? 3 : 2, ...size], frame);
      }
      await expect.poll(log).toContain("Dropped a message on control: its signature was accepted");
      expect(await resultOf(client, "runs")).toBe("1");
      expect(
        client.received.filter((it) => parentOf(it) === id && it.channel === "shell"),
      ).toHaveLength(1);
    });

    test("cannot fill the memory with unfinished messages, and do not disturb others", async () => {
      const { client } = kernelOf();
      const memory = async (): Promise<number> =>
        Number(await resultOf(client, "process.memoryUsage().rss"));
      const before = await memory();
      const claim = Buffer.alloc(9);
      claim[0] = 2;
      claim.writeBigUInt64BE(BigInt(3_900_000), 1);
      const part = Buffer.alloc(3 * MEGABYTE);
      const types = [
        ["shell", "DEALER"],
        ["control", "DEALER"],
        ["stdin", "DEALER"],
      ] as const;
      for (let round = 0; round < 60; round++) {
        for (const [channel, type] of types) {
          const peer = await connect(at(channel), type);
          peer.socket.write(claim);
          peer.socket.write(part);
        }
      }
      const isLeft = ({ socket }: RawPeer): boolean => !socket.closed;
      await expect.poll(() => peers.filter(isLeft).length).toBeLessThanOrEqual(5);
      const newcomer = await kernelOf().connect();
      const code = `${"// a long cell\n".repeat(100_000)}'served'`;
      expect(await resultOf(newcomer, "'served'")).toBe("served");
      expect((await newcomer.execute(code)).reply.content["status"]).toBe("ok");
      // Held, the parts would take 540 MB; what a runtime has not collected yet is far less.
      expect((await memory()) - before).toBeLessThan(300 * MEGABYTE);
    });

    test("cannot announce a message of 63 MB, which a front end may send", async () => {
      const { client } = kernelOf();
      // The first message of a client makes it trusted.
      await client.execute("1");
      for (const [channel, type] of [
        ["shell", "DEALER"],
        ["iopub", "SUB"],
        ["hb", "REQ"],
      ] as const) {
        const peer = await connect(at(channel), type);
        peer.write([2, 0, 0, 0, 0, 3, 0xf0, 0, 0]);
        await peer.ended;
      }
      const { reply } = await client.request("shell", "comm_info_request", {
        filler: "x".repeat(63 * MEGABYTE),
      });
      expect(reply.content["status"]).toBe("ok");
    });

    test("get a welcome message that nobody else gets when they subscribe", async () => {
      const { client } = kernelOf();
      const welcomes = (): number =>
        client.received.filter((it) => typeOf(it) === "iopub_welcome").length;
      const before = welcomes();
      const subscriber = await connect(at("iopub"), "SUB");
      for (let round = 0; round < 100; round++) subscriber.write(subscribe());
      await expect.poll(() => subscriber.received().includes("iopub_welcome")).toBe(true);
      await client.execute("1");
      expect(welcomes()).toBe(before);
    });
  });
}
