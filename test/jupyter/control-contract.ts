import { describe, expect, test } from "vitest";
import { startCell } from "./interrupt-contract.ts";
import { EXECUTE, type KernelClient, parentOf, typeOf } from "./kernel-client.ts";
import type { KernelProcess } from "./kernel-process.ts";

const HISTORY = { hist_access_type: "tail", n: 3, output: false, raw: true };
const ASKED = [
  ["history", HISTORY, { status: "ok", history: expect.anything() }],
  ["is_complete", { code: "function f() {" }, { status: "incomplete" }],
  ["is_complete", { code: "GET http://127.0.0.1/" }, { status: "complete" }],
  ["comm_info", {}, { status: "ok", comms: {} }],
  ["complete", { code: "DEL", cursor_pos: 3 }, { status: "ok", matches: ["DELETE "] }],
  ["inspect", { code: "client", cursor_pos: 3, detail_level: 0 }, { status: "ok", found: true }],
  ["kernel_info", {}, { status: "ok", implementation: "restlab" }],
  ["execute", { ...EXECUTE, code: "1" }, { status: "error", execution_count: expect.any(Number) }],
] as const;

/** Messages without a reply, on either channel. */
const UNKNOWN = ["never_heard_of_request", "debug_request", "constructor", "__proto__"];

/** The control channel of the kernel of the surrounding contract. */
export function describeControl(kernelOf: () => KernelProcess): void {
  describe("the control channel", () => {
    const states = (client: KernelClient, id: string): readonly unknown[] =>
      client.received
        .filter((message) => parentOf(message) === id && typeOf(message) === "status")
        .map(({ content }) => content["execution_state"]);

    test.each(ASKED)("handles %s_request, between busy and idle: %j", async (...row) => {
      const [type, content, expected] = row;
      const { client } = kernelOf();
      const { reply } = await client.request("control", `${type}_request`, content);
      expect([reply.channel, typeOf(reply)]).toEqual(["control", `${type}_reply`]);
      expect(reply.content).toMatchObject(expected);
      expect(states(client, String(parentOf(reply)))).toEqual(["busy", "idle"]);
    });

    test("replies while a cell waits, and before the queued cells", async () => {
      const { client } = kernelOf();
      const cell = await startCell(client, "await new Promise(() => {})");
      const behind = await client.send("shell", "history_request", HISTORY);
      for (const [type, content, expected] of ASKED) {
        const { reply } = await client.request("control", `${type}_request`, content);
        expect(reply.content).toMatchObject(expected);
      }
      expect(states(client, cell)).toEqual(["busy"]);
      expect(states(client, behind)).toEqual([]);
      await client.request("control", "interrupt_request");
      expect((await client.exchange(cell)).reply.content).toMatchObject({
        ename: "InterruptedError",
      });
      expect((await client.exchange(behind)).reply.channel).toBe("shell");
    });

    test("replies in the order of the requests", async () => {
      const { client } = kernelOf();
      const ids: string[] = [];
      for (let count = 0; count < 20; count++) {
        ids.push(await client.send("control", "comm_info_request", {}));
      }
      for (const id of ids) await client.exchange(id);
      const replies = client.received.filter(
        (message) =>
          message.channel === "control" &&
          typeOf(message) === "comm_info_reply" &&
          ids.includes(String(parentOf(message))),
      );
      expect(replies.map(parentOf)).toEqual(ids);
    });

    test.each(["shell", "control"] as const)(
      "ends what it does not know with idle on %s",
      async (channel) => {
        const { client, log } = kernelOf();
        for (const type of UNKNOWN) {
          for (let round = 0; round < 3; round++) {
            const id = await client.send(channel, type, {});
            const isIdle = ({ content }: { content: Readonly<Record<string, unknown>> }) =>
              content["execution_state"] === "idle";
            await client.wait((message) => parentOf(message) === id && isIdle(message), "idle");
            expect(states(client, id)).toEqual(["busy", "idle"]);
          }
          const line = `Ignored a message on ${channel}: its type "${type}" is not supported`;
          await expect.poll(() => log().split(line).length - 1).toBe(1);
        }
        const replies = client.received.filter((message) =>
          UNKNOWN.includes(String(message.parent["msg_type"])),
        );
        expect(new Set(replies.map(typeOf))).toEqual(new Set(["status"]));
      },
    );
  });
}
