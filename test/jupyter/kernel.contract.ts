import { expect, test } from "vitest";
import { RUNTIME } from "../support/runtime.ts";
import { describeEnds } from "./end-contract.ts";
import { startCell } from "./interrupt-contract.ts";
import { describeKernel } from "./kernel-contract.ts";
import { RUNTIMES, startKernel } from "./kernel-process.ts";

describeKernel(RUNTIME);
describeEnds(RUNTIME);

if (RUNTIME === "deno") {
  test("ends what is not a cell's own code on deno, after an await, where the user has opened its inspector", async () => {
    const [program = "", run = "", ...rest] = RUNTIMES.deno;
    const kernel = await startKernel("deno", {
      command: [program, run, "--inspect=127.0.0.1:0", ...rest],
    });
    try {
      await kernel.client.execute("let kept = 'kept'");
      const id = await startCell(kernel.client, "await 0; eval('for (;;);')");
      const { reply } = await kernel.client.request("control", "interrupt_request");
      expect(reply.content).toEqual({ status: "ok" });
      expect((await kernel.client.exchange(id)).reply.content).toMatchObject({
        ename: "InterruptedError",
      });
      expect((await kernel.client.execute("kept")).reply.content["status"]).toBe("ok");
    } finally {
      await kernel.dispose();
    }
  });
}
