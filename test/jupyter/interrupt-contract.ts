import { once } from "node:events";
import { createServer } from "node:http";
import { describe, expect, test } from "vitest";
import { EXECUTE, type KernelClient, parentOf, typeOf } from "./kernel-client.ts";
import type { KernelProcess, RuntimeName } from "./kernel-process.ts";

const WAITING = ["await new Promise(() => {})", "await new Promise((d) => setTimeout(d, 60_000))"];
const SCRIPT = ["while (true) {}", "while (true) console.log('printed')"];
const AFTER_AWAIT = [
  "while (true) await 0",
  "await 0; while (true) {}",
  "await new Promise((d) => setTimeout(d, 10)); console.log('begun'); while (true) {}",
  "setTimeout(() => { console.log('begun'); while (true) {} }, 0); await new Promise(() => {})",
];

/** What every runtime ends, in each way. */
const SOON = ["await new Promise(() => {})", "while (true) {}", "await 0; while (true) {}"];

/** A cell's own code that computes in other ways. */
const RECURSION = "const f = (n: number): number => (n < 2 ? n : f(n - 1) + f(n - 2)); f(99)";
const OWN = [
  "for (;;);",
  "await 0; let n = 0; do n++; while (n >= 0)",
  "await 0; for (const n of (function* () { while (true) yield 1 })()) try { n } catch {}",
  "await 0; while (true) { try { while (true) {} } catch {} }",
  RECURSION,
  `await 0; ${RECURSION}`,
  "const next = (): Promise<void> => Promise.resolve().then(next); await next()",
];
/** Code other than the cell's own, as in packages and functions of the runtime. */
const OTHERS = ["eval('for (;;);')", "await 0; eval('for (;;);')"];

/** What each runtime can end; the rest is refused with a reason. */
export const ENDS: Readonly<Record<RuntimeName, readonly string[]>> = {
  node: [...WAITING, ...SCRIPT, ...AFTER_AWAIT, ...OWN, ...OTHERS],
  deno: [...WAITING, ...SCRIPT, ...AFTER_AWAIT, ...OWN],
  bun: [...WAITING, ...SCRIPT, ...AFTER_AWAIT, ...OWN],
};

/** Interrupts of the kernel of the surrounding contract, by message and by signal. */
export function describeInterrupts(runtime: RuntimeName, kernelOf: () => KernelProcess): void {
  describe("interrupt", () => {
    test.each(ENDS[runtime])("ends %j and keeps the state", async (code) => {
      const { client } = kernelOf();
      await client.execute("let kept = 'kept'");
      const id = await startCell(client, code);
      const { reply } = await client.request("control", "interrupt_request");
      expect(reply.content).toEqual({ status: "ok" });
      const cell = await client.exchange(id);
      expect(cell.reply.content).toMatchObject({ status: "error", ename: "InterruptedError" });
      expect(cell.published.map(typeOf)).toContain("error");
      const after = await client.execute("kept");
      expect(JSON.stringify(after.published.map(({ content }) => content))).toContain("kept");
    });

    test.each(SOON)("ends %j within a second", async (code) => {
      const { client } = kernelOf();
      const times: number[] = [];
      // The machine may be busy with something else for a while; the kernel's own waits are the same.
      while (times.length < 3 && !times.some((time) => time < 1000)) {
        const id = await startCell(client, code);
        const asked = Date.now();
        await client.request("control", "interrupt_request");
        const { reply, published } = await client.exchange(id);
        expect(reply.content["ename"]).toBe("InterruptedError");
        // What the messages say themselves, wherever they have waited since.
        const ends = [reply, ...published].map(({ header }) => Date.parse(String(header["date"])));
        times.push(Math.max(...ends) - asked);
      }
      expect(Math.min(...times)).toBeLessThan(1000);
    });

    test("ends a question to the user", async () => {
      const { client } = kernelOf();
      const id = await client.send("shell", "execute_request", {
        ...EXECUTE,
        allow_stdin: true,
        code: "prompt('Never answered? ')",
      });
      await client.wait(
        (message) => typeOf(message) === "input_request" && parentOf(message) === id,
        "input_request",
      );
      const { reply } = await client.request("control", "interrupt_request");
      expect(reply.content).toEqual({ status: "ok" });
      const cell = await client.exchange(id);
      expect(cell.reply.content).toMatchObject({ status: "error", ename: "InterruptedError" });
    });

    test("ends a request in flight and closes its connection", async () => {
      const { client } = kernelOf();
      const server = createServer().listen(0, "127.0.0.1");
      await once(server, "listening");
      const { port } = server.address() as { port: number };
      const content = { ...EXECUTE, code: `GET http://127.0.0.1:${port}/never` };
      const arrived = once(server, "request");
      const id = await client.send("shell", "execute_request", content);
      const [request] = await arrived;
      // Some runtimes reset the connection, which is as good as closing it.
      const closed = new Promise((resolve) => {
        request.socket.on("error", resolve).on("close", resolve);
      });
      await client.request("control", "interrupt_request");
      expect((await client.exchange(id)).reply.content["status"]).toBe("error");
      await closed;
      server.close();
    });

    test.each([
      ["GET {{url}}\n?? body name matches ^(a*)(a*)(a*)(a*)(a*)(a*)(a*)b$", "AssertionError"],
      [
        "expect(await client.send('GET {{url}}')).toMatchSchema({ patternProperties: { ['^(n|n|name)+$']: { pattern: '^' + 'a*'.repeat(9) + 'b$' } } })",
        "Error",
      ],
    ])("is not needed for an endless regular expression in %j", async (code, ename) => {
      const { client } = kernelOf();
      const server = createServer((_, response) => {
        response.setHeader("content-type", "application/json");
        response.end(JSON.stringify({ name: "a".repeat(2_000) }));
      }).listen(0, "127.0.0.1");
      await once(server, "listening");
      const { port } = server.address() as { port: number };
      await client.execute(`client.setVar("url", "http://127.0.0.1:${port}"); let kept = "kept"`);
      const cell = await client.execute(code);
      expect(cell.reply.content).toMatchObject({ status: "error", ename });
      expect(String(cell.reply.content["evalue"])).toContain("Matching was ended after 1.0 s");
      const after = await client.execute("kept");
      expect(JSON.stringify(after.published.map(({ content }) => content))).toContain("kept");
      server.close();
    });

    test("ends a loop in a timer of a cell that has completed, for good", async () => {
      const { client } = kernelOf();
      await client.execute("let kept = 'kept'");
      const code = "setInterval(() => { console.log('left'); while (true) {} }, 30); 1";
      const id = await startCell(client, code);
      await client.wait(
        (message) => parentOf(message) === id && message.content["text"] === "left\n",
        "what is left to begin",
      );
      const { reply } = await client.request("control", "interrupt_request");
      expect(reply.content).toEqual({ status: "ok" });
      const after = await client.execute("kept");
      expect(JSON.stringify(after.published.map(({ content }) => content))).toContain("kept");
    });

    test("aborts the queued cells", async () => {
      const { client } = kernelOf();
      const id = await startCell(client, "await new Promise(() => {})");
      const next = await client.send("shell", "execute_request", { ...EXECUTE, code: "1" });
      await client.request("control", "interrupt_request");
      expect((await client.exchange(id)).reply.content["status"]).toBe("error");
      expect((await client.exchange(next)).reply.content["status"]).toBe("aborted");
    });

    test("does nothing while no cell runs", async () => {
      const { client } = kernelOf();
      const { reply } = await client.request("control", "interrupt_request");
      expect(reply.content).toEqual({ status: "ok" });
      expect((await client.execute("1")).reply.content["status"]).toBe("ok");
    });

    test.each(SOON)("by SIGINT ends %j", async (code) => {
      const { client, child } = kernelOf();
      const id = await startCell(client, code);
      child.kill("SIGINT");
      expect((await client.exchange(id)).reply.content).toMatchObject({
        ename: "InterruptedError",
      });
      expect((await client.execute("1")).reply.content["status"]).toBe("ok");
    });

    test("by SIGINT at the end of a script is neither lost nor ends the kernel", async () => {
      const { client, child } = kernelOf();
      for (let round = 0; round < 20; round++) {
        const code = `const end = Date.now() + ${round}; while (Date.now() < end);`;
        const id = await startCell(client, `${code} await new Promise(() => {})`);
        await new Promise((next) => setTimeout(next, round - 3));
        child.kill("SIGINT");
        expect((await client.exchange(id)).reply.content).toMatchObject({
          ename: "InterruptedError",
        });
      }
      expect((await client.execute("1")).reply.content["status"]).toBe("ok");
    });
  });
}

/**
 * Sends a cell and waits until its own code has begun to run; where it says "begun" itself, until then:
 * an interrupt that came before would end what the cell waits for, and leave its loop behind.
 */
export async function startCell(client: KernelClient, code: string): Promise<string> {
  const saysSo = code.includes("'begun'");
  const content = { ...EXECUTE, code: saysSo ? code : `console.log('begun');\n${code}` };
  const id = await client.send("shell", "execute_request", content);
  await client.wait(
    (message) => typeOf(message) === "stream" && parentOf(message) === id,
    "the cell to begin",
  );
  return id;
}

/** What a runtime cannot end; afterwards such a kernel can only be shut down. */
export const ENDLESS: Readonly<Record<RuntimeName, readonly string[]>> = {
  node: [],
  deno: OTHERS,
  bun: OTHERS,
};
