import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { expect, test } from "vitest";
import { prepareTermination, terminateExpression } from "../../kernel/platform/termination.ts";

test("a cell that is over before it is terminated leaves the next code alone", async () => {
  let asked = 0;
  const undo = prepareTermination(() => {
    asked += 1;
    return false;
  });
  try {
    const expression = JSON.stringify(terminateExpression(true));
    const worker = new Worker(
      `const { Session } = require("node:inspector");
       const { parentPort } = require("node:worker_threads");
       // A question to another thread keeps no thread from ending.
       setInterval(() => undefined, 1000);
       const session = new Session();
       session.connectToMainThread();
       session.post("Runtime.evaluate", { expression: ${expression} }, () => {
         session.disconnect();
         parentPort.postMessage("asked");
       });`,
      { eval: true },
    );
    const [said] = await once(worker, "message");
    expect([said, asked]).toEqual(["asked", 1]);
    await worker.terminate();
  } finally {
    undo();
  }
});
