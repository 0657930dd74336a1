import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, statSync } from "node:fs";
import { networkInterfaces } from "node:os";
import { afterEach, describe, expect, test } from "vitest";
import { RUNS_ALL } from "../support/runtime.ts";
import { ENDLESS, startCell } from "./interrupt-contract.ts";
import { only, parentOf, textOf, typeOf } from "./kernel-client.ts";
import { type KernelProcess, type RuntimeName, startKernel } from "./kernel-process.ts";

const hasIPv6 = Object.values(networkInterfaces())
  .flat()
  .some((address) => address?.address === "::1");

const WAITS = "await new Promise(() => {})";

/** How kernels start and end; each test has its own process. */
export function describeEnds(runtime: RuntimeName): void {
  describe(`a kernel on ${runtime}`, () => {
    const kernels: KernelProcess[] = [];
    const start: typeof startKernel = async (...given) => {
      const kernel = await startKernel(...given);
      kernels.push(kernel);
      return kernel;
    };
    afterEach(async () => {
      for (const kernel of kernels.splice(0)) await kernel.dispose();
    });

    test.each(["await 0; while (true) {}", ...(RUNS_ALL ? [WAITS] : [])])(
      "shuts down within a second while %j runs, which gets a reply if it waits",
      async (code) => {
        const times: number[] = [];
        // The machine may be busy with something else for a while; the kernel's own waits are the same.
        while (times.length < 3 && !times.some((time) => time < 1000)) {
          const { client, exited } = await start(runtime);
          const id = await startCell(client, code);
          const asked = Date.now();
          const { reply } = await client.request("control", "shutdown_request", { restart: false });
          expect(reply.content).toEqual({ status: "ok", restart: false });
          const end = await exited;
          times.push(Date.now() - asked);
          if (code !== WAITS) continue;
          expect((await client.exchange(id)).reply.content["status"]).toBe("error");
          expect(end).toEqual({ code: 0, signal: null });
        }
        expect(Math.min(...times)).toBeLessThan(1000);
      },
    );

    test("ends cleanly on process.exit in a cell, and reports it", async () => {
      const { client, exited } = await start(runtime);
      const exchange = await client.execute("console.log('before'); process.exit(3)");
      expect(textOf("stdout", exchange)).toBe("before\n");
      expect(textOf("stderr", exchange)).toContain("process.exit(3)");
      expect(exchange.reply.content["status"]).toBe("ok");
      expect(await exited).toEqual({ code: 3, signal: null });
    });

    test.skipIf(process.platform === "win32")("listens on ipc, and tidies up", async () => {
      const { client, connection, exited } = await start(runtime, {
        connection: { transport: "ipc" },
      });
      const exchange = await client.execute("'by ipc'");
      expect(only("execute_result", exchange)).toHaveLength(1);
      await client.beat();
      const modes = ["shell", "iopub", "stdin", "control", "hb"].map((channel) => {
        const port = connection[`${channel}_port` as keyof typeof connection];
        return (statSync(`${connection.ip}-${port}`).mode & 0o777).toString(8);
      });
      expect(modes).toEqual(Array(5).fill("600"));
      await client.request("control", "shutdown_request", { restart: false });
      await exited;
      expect(existsSync(`${connection.ip}-${connection.shell_port}`)).toBe(false);
    });

    test.skipIf(!hasIPv6)("listens on IPv6, and logs nothing while nothing is wrong", async () => {
      const { client, exited, log } = await start(runtime, { connection: { ip: "::1" } });
      const exchange = await client.execute("console.log('by IPv6'); 6");
      expect(textOf("stdout", exchange)).toBe("by IPv6\n");
      expect(only("execute_result", exchange)).toHaveLength(1);
      await client.beat();
      await client.request("control", "shutdown_request", { restart: false });
      await exited;
      expect(log()).toBe("");
    });

    test("ends when the process that started it has died", async () => {
      const parent = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"]);
      const { client, exited } = await start(runtime, { parent: parent.pid ?? 0 });
      await startCell(client, "await 0; while (true) {}");
      parent.kill("SIGKILL");
      await once(parent, "exit");
      expect(await exited).toBeDefined();
    });

    test.each(ENDLESS[runtime])("reports that it cannot end %j", async (code) => {
      const { client } = await start(runtime);
      const id = await startCell(client, code);
      const { reply } = await client.request("control", "interrupt_request");
      expect(reply.content).toMatchObject({
        status: "error",
        evalue: expect.stringContaining("restart the kernel"),
      });
      await client.wait(
        (message) =>
          typeOf(message) === "stream" &&
          parentOf(message) === id &&
          String(message.content["text"]).includes("Interrupting failed"),
        "the excuse in the cell",
      );
      await client.beat();
    });

    // No runtime decides what follows.
    if (!RUNS_ALL) return;

    test("shows the input of a cell before it is compiled", async () => {
      const { client } = await start(runtime);
      await client.execute("0");
      const code = `type Digit = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9;
        type Four<Start extends string> = \`\${Start}${"${Digit}".repeat(4)}\`;
        const far: [Four<"a">, Four<"b">, Four<"c">, Four<"d">] = ["a0000", "b0000", "c0000", "d0000"];
        Date.now()`;
      const exchange = await client.execute(code);
      const [input] = only("execute_input", exchange);
      const seen = performance.timeOrigin + (input?.at ?? Number.POSITIVE_INFINITY);
      const begun = only("execute_result", exchange).map(({ content }) => content["data"]);
      expect(begun).toEqual([{ "text/plain": expect.stringMatching(/^\d+$/) }]);
      const [data] = begun as [Readonly<Record<string, string>>];
      expect(seen).toBeLessThan(Number(data["text/plain"]));
    });

    test("listens on every address if a gateway asks for that", async () => {
      const { client } = await start(runtime, { connection: { ip: "0.0.0.0" } });
      expect((await client.execute("1")).reply.content["status"]).toBe("ok");
      await client.beat();
    });

    test("accepts any signature without a key, and logs that", async () => {
      const { client, log } = await start(runtime, { connection: { key: "" } });
      expect((await client.execute("1")).reply.content["status"]).toBe("ok");
      expect((await client.execute("1")).reply.content["status"]).toBe("ok");
      await expect
        .poll(log)
        .toContain("The connection file has no key: anyone who can reach the ports");
    });

    test("refuses a connection file that it cannot use, with all reasons", async () => {
      const failing = startKernel(runtime, { connection: { ip: "", transport: "udp" } });
      await expect(failing).rejects.toThrow(/ended with 1: .*transport is "udp".*ip is ""/s);
    });
  });
}
