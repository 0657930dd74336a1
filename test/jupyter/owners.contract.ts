import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  type CountingServer,
  endlessCells,
  rest,
  startCountingServer,
} from "../support/endless-cells.ts";
import { RUNTIME } from "../support/runtime.ts";
import { EXECUTE, type KernelClient } from "./kernel-client.ts";
import { type KernelProcess, type RuntimeName, startKernel } from "./kernel-process.ts";

/** What a cell of the kernel began ends with it. */
function describeOwners(runtime: RuntimeName): void {
  describe(`what cells began ends with them in the kernel on ${runtime}`, () => {
    let kernel: KernelProcess;
    let client: KernelClient;
    let server: CountingServer;
    // For each attempt: what an earlier one has sent must not count.
    beforeEach(async () => {
      server = await startCountingServer();
      kernel = await startKernel(runtime);
      client = kernel.client;
    });
    afterEach(async () => {
      await kernel?.dispose();
      server.close();
    });

    const start = (code: string): Promise<string> =>
      client.send("shell", "execute_request", { ...EXECUTE, code });

    test("sends nothing after an interrupt; what another cell owns continues", async () => {
      await client.execute(
        `const timer = setInterval(() => client.send("GET ${server.base}/other").catch(() => 0), 100)`,
      );
      const cells = endlessCells(server.base);
      for (const [path, code] of cells) {
        const id = await start(code);
        await server.seen(path, 3);
        await client.request("control", "interrupt_request");
        const { reply } = await client.exchange(id);
        expect([path, reply.content["ename"]]).toEqual([path, "InterruptedError"]);
      }
      const paths = cells.map(([path]) => path);
      expect(await rest(server, paths)).toEqual([]);
      await server.seen("/other", server.count("/other") + 3);
      await client.execute("clearInterval(timer)");
    });

    test("sends nothing after a question was interrupted, even if the cell catches that", async () => {
      const code = `while (true) { try { await client.send("GET ${server.base}/asks"); prompt("Never answered?"); } catch {} }`;
      const content = { ...EXECUTE, allow_stdin: true, code };
      const id = await client.send("shell", "execute_request", content);
      await client.wait(({ header }) => header["msg_type"] === "input_request", "the question");
      await client.request("control", "interrupt_request");
      expect((await client.exchange(id)).reply.content["ename"]).toBe("InterruptedError");
      expect(await rest(server, ["/asks"])).toEqual([]);
    });
  });
}

describeOwners(RUNTIME);
