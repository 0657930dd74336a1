import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { RUNS_ALL } from "../support/runtime.ts";
import { describeControl } from "./control-contract.ts";
import { describeInterrupts } from "./interrupt-contract.ts";
import { EXECUTE, type KernelClient, only, parentOf, textOf, typeOf } from "./kernel-client.ts";
import { type KernelProcess, type RuntimeName, startKernel } from "./kernel-process.ts";
import type { Received } from "./message-schema.ts";
import { describeRequests } from "./request-contract.ts";
import { describeUntrustedPeers } from "./untrusted-peers-contract.ts";

/** What a kernel must do on every runtime; shutdown comes last. */
export function describeKernel(runtime: RuntimeName): void {
  describe(`the kernel on ${runtime}`, () => {
    let kernel: KernelProcess;
    let client: KernelClient;
    beforeAll(async () => {
      kernel = await startKernel(runtime);
      client = kernel.client;
    });
    // What a failed test leaves behind, a cell that goes on above all, is no matter of the others.
    afterEach(async ({ task }) => {
      if (task.result?.state !== "fail") return;
      await kernel?.dispose();
      kernel = await startKernel(runtime);
      client = kernel.client;
    });
    afterAll(async () => await kernel?.dispose());

    const states = (published: readonly { content: Readonly<Record<string, unknown>> }[]) =>
      published.map(({ content }) => content["execution_state"]).filter((state) => state);

    test.each([
      ["shell", "kernel_info", {}],
      ["shell", "execute", { ...EXECUTE, code: "" }],
      ["shell", "execute", { ...EXECUTE, code: "throw 1", silent: true }],
      ["shell", "complete", { code: "client.", cursor_pos: 7 }],
      ["shell", "inspect", { code: "client", cursor_pos: 3, detail_level: 0 }],
      ["shell", "is_complete", { code: "1" }],
      ["shell", "history", { hist_access_type: "tail", n: 1, output: false, raw: true }],
      ["shell", "history", { hist_access_type: "never heard of" }],
      ["shell", "comm_info", {}],
      ["control", "kernel_info", {}],
      ["control", "interrupt", {}],
    ] as const)("%s handles %s_request, between busy and idle: %j", async (...given) => {
      const [channel, type, content] = given;
      const { reply, published } = await client.request(channel, `${type}_request`, content);
      expect(typeOf(reply)).toBe(`${type}_reply`);
      expect(reply.channel).toBe(channel);
      const [first, ...rest] = published.filter((it) => typeOf(it) === "status");
      const ends = [first, ...rest].map((it) => it?.content["execution_state"]);
      expect(ends).toEqual(["busy", "idle"]);
      expect(published.at(0)).toBe(first);
      expect(published.at(-1)).toBe(rest[0]);
      // The whole header of the request comes back, not its identifier alone.
      expect(first?.parent).toEqual(reply.parent);
      expect(reply.parent).toMatchObject({ msg_type: `${type}_request`, username: "test" });
    });

    test.each(["shell", "control"] as const)(
      "handles kernel_info_request on %s",
      async (channel) => {
        const { reply, published } = await client.request(channel, "kernel_info_request");
        expect(reply.channel).toBe(channel);
        expect(reply.content).toMatchObject({
          status: "ok",
          implementation: "restlab",
          language_info: { name: "typescript", mimetype: "text/typescript", file_extension: ".ts" },
        });
        expect(states(published)).toEqual(["busy", "idle"]);
      },
    );

    test("publishes busy, input, result and idle, in this order", async () => {
      const { reply, published } = await client.execute("const answer: number = 42; answer");
      expect(published.map(typeOf)).toEqual([
        "status",
        "execute_input",
        "execute_result",
        "status",
      ]);
      expect(states(published)).toEqual(["busy", "idle"]);
      expect(published[1]?.content).toMatchObject({ code: "const answer: number = 42; answer" });
      expect(published[2]?.content["data"]).toMatchObject({ "text/plain": "42" });
      expect(reply.content["execution_count"]).toBe(published[2]?.content["execution_count"]);
    });

    test("counts what is stored and nothing else", async () => {
      const count = async (options: Record<string, unknown> = {}) =>
        (await client.execute("1", options)).reply.content["execution_count"];
      const start = Number(await count());
      expect(await count()).toBe(start + 1);
      expect(await count({ silent: true })).toBe(start + 1);
      expect(await count({ store_history: false })).toBe(start + 1);
      expect(await count()).toBe(start + 2);
    });

    test("publishes only the status of a silent cell", async () => {
      const { published } = await client.execute("console.log('quiet'); 1", { silent: true });
      expect(published.map(typeOf)).toEqual(["status", "status"]);
      const failed = await client.execute("throw new Error('quiet')", { silent: true });
      expect(failed.published.map(typeOf)).toEqual(["status", "status"]);
      expect(failed.reply.content).toMatchObject({ status: "error", ename: "Error" });
    });

    test("publishes no result for a cell that ends in undefined", async () => {
      expect(only("execute_result", await client.execute("undefined"))).toEqual([]);
      expect(only("execute_result", await client.execute(""))).toEqual([]);
    });

    test("evaluates user expressions, each with its own success or failure", async () => {
      const { reply } = await client.execute("const base = 20", {
        user_expressions: {
          sum: "base + 1",
          list: "{ a: base }",
          wrong: "missing.x",
          broken: "(",
          ["__proto__"]: "base",
        },
      });
      expect(Object.keys(reply.content["user_expressions"] as object)).toContain("__proto__");
      expect(reply.content["user_expressions"]).toMatchObject({
        sum: { status: "ok", data: { "text/plain": "21" } },
        list: { status: "ok" },
        wrong: { status: "error", evalue: expect.stringContaining("missing") },
        broken: { status: "error" },
      });
    });

    test("keeps the last result of a person's cell", async () => {
      await client.execute("40 + 2");
      await client.execute("'silent'", { silent: true });
      await client.execute("undefined", { user_expressions: { other: "'expression'" } });
      const [result] = only("execute_result", await client.execute("_ + 1"));
      expect(result?.content["data"]).toMatchObject({ "text/plain": "43" });
    });

    test("sends an error message and an error reply with the same content", async () => {
      const exchange = await client.execute("throw new RangeError('too far')");
      const [error] = only("error", exchange);
      expect(error?.content).toMatchObject({ ename: "RangeError", evalue: "too far" });
      expect(exchange.reply.content).toMatchObject({ status: "error", ...error?.content });
      expect(String(error?.content["traceback"])).toContain("too far");
    });

    test("shows type errors before anything runs", async () => {
      const exchange = await client.execute("console.log('ran'); client.nothing");
      expect(exchange.reply.content["status"]).toBe("error");
      expect(textOf("stdout", exchange)).toBe("");
      const warned = await client.execute("console.log('ran'); const n: number = 'text'");
      expect(warned.reply.content["status"]).toBe("ok");
      expect(textOf("stdout", warned)).toBe("ran\n");
      expect(textOf("stderr", warned)).toContain("TypeScriptWarning: line 1, column 27");
    });

    test("aborts the queued cells after a failure and runs the next one at once", async () => {
      const ids = [];
      // The first fails when the others are in the queue.
      for (const code of ["prompt('Fail? '); throw new Error('first')", "1", "2"]) {
        const content = { ...EXECUTE, allow_stdin: true, code };
        ids.push(await client.send("shell", "execute_request", content));
      }
      const info = await client.send("shell", "kernel_info_request", {});
      await client.wait(({ content }) => content["prompt"] === "Fail? ", "input_request");
      await client.send("stdin", "input_reply", { value: "" });
      const replies = [];
      for (const id of ids) replies.push((await client.exchange(id)).reply.content["status"]);
      expect(replies).toEqual(["error", "aborted", "aborted"]);
      expect((await client.exchange(info)).reply.content["status"]).toBe("ok");
      expect((await client.execute("3")).reply.content["status"]).toBe("ok");
    });

    test("continues after a failure if stop_on_error is false", async () => {
      const options = { ...EXECUTE, stop_on_error: false, code: "throw 1" };
      const failing = await client.send("shell", "execute_request", options);
      const next = await client.send("shell", "execute_request", { ...EXECUTE, code: "'next'" });
      expect((await client.exchange(failing)).reply.content["status"]).toBe("error");
      expect((await client.exchange(next)).reply.content["status"]).toBe("ok");
    });

    test("sends all output before idle, in the order it was written", async () => {
      const code = "for (let i = 0; i < 2000; i++) console.log(i); console.error('end'); 'done'";
      const exchange = await client.execute(code);
      const lines = textOf("stdout", exchange).trim().split("\n");
      expect(lines).toEqual(Array.from({ length: 2000 }, (_, index) => String(index)));
      expect(textOf("stderr", exchange)).toBe("end\n");
      expect(exchange.published.map(typeOf).slice(-2)).toEqual(["execute_result", "status"]);
    });

    test("shows in its cell what children write that inherit the output", async () => {
      const writes = `"console.log('out'); console.error('err')"`;
      const file = `${JSON.stringify(process.execPath)}`;
      const wait = "await new Promise((resolve) => child.on('close', resolve))";
      const calls = [
        `execFileSync(${file}, ["-e", ${writes}], { stdio: "inherit" })`,
        `spawnSync(${file}, ["-e", ${writes}], { stdio: ["ignore", "inherit", 2] })`,
        `execSync(${JSON.stringify(`${file} -e `)} + JSON.stringify(${writes}), { stdio: "inherit" })`,
        `const child = spawn(${file}, ["-e", ${writes}], { stdio: "inherit" }); ${wait}`,
        `const child = spawn(${file}, ["-e", ${writes}], { stdio: [0, process.stdout, process.stderr] }); ${wait}`,
      ];
      for (const call of calls) {
        const code = `import { execFileSync, execSync, spawn, spawnSync } from "node:child_process"; ${call}; null`;
        const exchange = await client.execute(code);
        expect([code, textOf("stdout", exchange), textOf("stderr", exchange)]).toEqual([
          code,
          "out\n",
          "err\n",
        ]);
      }
      const piped = `import { execSync } from "node:child_process"; execSync("echo kept").toString()`;
      const exchange = await client.execute(piped);
      expect(textOf("stdout", exchange)).toBe("");
    });

    test("shows what a cell has printed while it waits for a child", async () => {
      const folder = mkdtempSync(join(tmpdir(), "restlab-child-"));
      // It ends by itself if the file never comes.
      const loop = `until [ -e ${folder}/seen ] || [ $((n += 1)) -gt 1000 ]; do sleep 0.02; done`;
      const awaited = JSON.stringify(loop);
      const code = `import { execSync } from "node:child_process";
        console.log("one"); console.log("two"); console.log("three"); execSync(${awaited}); "end"`;
      const id = await client.send("shell", "execute_request", { ...EXECUTE, code });
      const isLast = (message: Received): boolean =>
        parentOf(message) === id && /three/.test(String(message.content["text"]));
      await client.wait(isLast, "the line before the child");
      writeFileSync(join(folder, "seen"), "");
      expect((await client.exchange(id)).reply.content["status"]).toBe("ok");
      rmSync(folder, { recursive: true });
    });

    test("sends characters beyond the basic plane whole, however they are split", async () => {
      const code = "process.stdout.write('\\ud83d'); process.stdout.write('\\udc31 ok'); '\\ud83d'";
      const exchange = await client.execute(code);
      expect(textOf("stdout", exchange)).toBe("🐱 ok");
      expect(only("execute_result", exchange)).toHaveLength(1);
    });

    test("sends the output of a timer to the cell that started it", async () => {
      const code = "setTimeout(() => { console.log('late'); display('later') }, 150); 'now'";
      const first = await client.execute(code);
      const second = await client.execute("await new Promise((done) => setTimeout(done, 400))");
      const id = parentOf(first.reply);
      for (const type of ["stream", "display_data"]) {
        await client.wait((message) => typeOf(message) === type && parentOf(message) === id, type);
      }
      expect(textOf("stdout", second)).toBe("");
    });

    test("shows rejections and exceptions of timers, and continues", async () => {
      const { reply } = await client.execute(
        "void Promise.reject(new Error('lost promise')); setTimeout(() => { throw new Error('lost timer') }, 20); 0",
      );
      for (const text of ["lost promise", "lost timer"]) {
        await client.wait(
          (message) =>
            typeOf(message) === "stream" &&
            message.content["name"] === "stderr" &&
            String(message.content["text"]).includes(text),
          text,
        );
      }
      expect(reply.content["status"]).toBe("ok");
      expect((await client.execute("1")).reply.content["status"]).toBe("ok");
    });

    test("updates and clears displayed output", async () => {
      const exchange = await client.execute(
        "const shown = display('one', { id: 'place' }); shown.update('two'); display('three', { display_id: 'place', update: true }); clearOutput({ wait: true }); 0",
      );
      const [data] = only("display_data", exchange);
      const [update, again] = only("update_display_data", exchange);
      expect(data?.content).toMatchObject({ transient: { display_id: "place" } });
      expect(update?.content).toMatchObject({
        data: { "text/plain": expect.stringContaining("two") },
        transient: { display_id: "place" },
      });
      expect(again?.content).toMatchObject({
        data: { "text/plain": expect.stringContaining("three") },
        transient: { display_id: "place" },
      });
      expect(only("clear_output", exchange)[0]?.content).toEqual({ wait: true });
    });

    test("a cell that updates the display of an earlier one is its parent", async () => {
      await client.execute("const early = display('one')");
      const exchange = await client.execute("early.update('two')");
      const [update] = only("update_display_data", exchange);
      expect(update?.content["data"]).toMatchObject({
        "text/plain": expect.stringContaining("two"),
      });
    });

    test("shows a value once where display is the last line, and waits for a display", async () => {
      const code = `display({ async [Symbol.for("Jupyter.display")]() {
        return { "image/svg+xml": "<svg><title>T</title></svg>" } } })`;
      const exchange = await client.execute(code);
      const [data, ...more] = only("display_data", exchange);
      expect([more, only("execute_result", exchange)]).toEqual([[], []]);
      expect(data?.content).toMatchObject({
        data: {
          "image/svg+xml": "<svg><title>T</title></svg>",
          "text/plain": "[image/svg+xml, T, 27 bytes]",
        },
      });
    });

    test("runs request cells and reports their errors", async () => {
      const exchange = await client.execute("GET http://127.0.0.1:{{missing}}/");
      expect(exchange.reply.content).toMatchObject({ ename: "UnresolvedPlaceholderError" });
    });

    test("completes and inspects by code points", async () => {
      await client.execute("const answer: number = 42");
      const code = "const 🐱 = '🐱'; answe";
      const complete = await client.request("shell", "complete_request", {
        code: code.replace("const 🐱 = ", "const cat = "),
        cursor_pos: [..."const cat = '🐱'; answe"].length,
      });
      expect(complete.reply.content).toMatchObject({
        matches: expect.arrayContaining(["answer"]),
        cursor_start: [..."const cat = '🐱'; "].length,
        cursor_end: [..."const cat = '🐱'; answe"].length,
      });
      const inspect = await client.request("shell", "inspect_request", {
        code: "'🐱'; answer",
        cursor_pos: 8,
        detail_level: 0,
      });
      expect(inspect.reply.content).toMatchObject({
        found: true,
        data: { "text/plain": expect.stringContaining("answer") },
      });
    });

    test.each([
      ["const x = 1", "complete"],
      ["function f() {", "incomplete"],
      ["let 1x =", "invalid"],
    ])("considers %j %s", async (code, status) => {
      const { reply } = await client.request("shell", "is_complete_request", { code });
      expect(reply.content["status"]).toBe(status);
    });

    test("returns the history of cells", async () => {
      await client.execute("'needle'");
      const { reply } = await client.request("shell", "history_request", {
        hist_access_type: "search",
        pattern: "*need*",
        output: true,
        raw: true,
        n: 1,
      });
      expect(reply.content["history"]).toEqual([
        [1, expect.any(Number), ["'needle'", expect.stringContaining("needle")]],
      ]);
    });

    test("has no comms and closes every comm that is opened", async () => {
      const info = await client.request("shell", "comm_info_request");
      expect(info.reply.content).toEqual({ status: "ok", comms: {} });
      const content = { comm_id: "c1", target_name: "widget", data: {} };
      const id = await client.send("shell", "comm_open", content);
      const close = await client.wait((message) => parentOf(message) === id, "comm_close");
      expect(close).toBeDefined();
      await client.wait((message) => typeOf(message) === "comm_close", "comm_close");
    });

    test("asks the user, but only if the front end allows input", async () => {
      const code = "[prompt('Name? ', 'Ben'), prompt.password('Key? ')].join()";
      const id = await client.send("shell", "execute_request", {
        ...EXECUTE,
        allow_stdin: true,
        code,
      });
      for (const [prompt, value, password] of [
        ["Name? [Ben] ", "Ada 🐱", false],
        ["Key? ", "secret", true],
      ]) {
        const question = await client.wait(
          ({ content }) => content["prompt"] === prompt,
          "input_request",
        );
        expect(question.content).toEqual({ prompt, password });
        expect(parentOf(question)).toBe(id);
        await client.beat();
        await client.send("stdin", "input_reply", { value });
      }
      const [result] = only("execute_result", await client.exchange(id));
      expect(result?.content["data"]).toMatchObject({
        "text/plain": expect.stringContaining("Ada 🐱,secret"),
      });
      const refused = await client.execute("prompt('Name? ')");
      expect(refused.reply.content["evalue"]).toContain("does not support input");
    });

    test("asks for the values of a request before it is sent", async () => {
      const id = await client.send("shell", "execute_request", {
        ...EXECUTE,
        allow_stdin: true,
        code: "# @prompt user Your name\n# @prompt password\nGET http://127.0.0.1:1/{{user}}/{{password}}",
      });
      for (const [prompt, value, password] of [
        ["Your name", "Ada", false],
        ["password", "hunter2-secret", true],
      ]) {
        const question = await client.wait(
          ({ content }) => content["prompt"] === prompt,
          "input_request",
        );
        expect(question.content).toEqual({ prompt, password });
        await client.send("stdin", "input_reply", { value });
      }
      const [failure] = only("error", await client.exchange(id));
      expect(failure?.content["ename"]).toBe("NoResponseError");
      expect(JSON.stringify(failure?.content)).not.toContain("hunter2-secret");
    });

    test("drops and logs messages that are unsigned or invalid", async () => {
      const before = client.received.length;
      const forged = client.sign("execute_request", { ...EXECUTE, code: "1" }, "wrong key");
      const garbled = client.sign("execute_request", []);
      await client.sendFrames("shell", forged.frames);
      await client.sendFrames("control", client.sign("shutdown_request", {}, "wrong").frames);
      await client.sendFrames("shell", garbled.frames);
      await client.sendFrames("shell", [Buffer.from("no message at all")]);
      await client.send("shell", "never_heard_of_request", {});
      await client.send("control", "debug_request", {});
      await client.request("shell", "kernel_info_request");
      const parents = client.received.slice(before).map(parentOf);
      expect(parents).not.toContain(forged.id);
      expect(parents).not.toContain(garbled.id);
      await expect.poll(() => kernel.log()).toContain("the signature is wrong");
      expect(kernel.log()).toContain("the content is not an object");
      expect(kernel.log()).toContain('type "never_heard_of_request" is not supported');
    });

    test("replies with an error to a request without code", async () => {
      const { reply } = await client.request("shell", "execute_request", { silent: false });
      expect(reply.content).toMatchObject({ status: "error", ename: "TypeError" });
    });

    test("replies to heartbeat and control while a cell computes", async () => {
      const code = "const until = Date.now() + 1500; while (Date.now() < until); 'computed'";
      const id = await client.send("shell", "execute_request", { ...EXECUTE, code });
      await client.wait(
        (message) => typeOf(message) === "execute_input" && parentOf(message) === id,
        "execute_input",
      );
      await client.beat();
      const info = await client.request("control", "kernel_info_request");
      const answered = client.received.indexOf(info.reply);
      const { reply } = await client.exchange(id);
      expect(client.received.indexOf(reply)).toBeGreaterThan(answered);
    });

    test("runs a thousand queued cells in order", async () => {
      const ids: string[] = [];
      for (let index = 0; index < 1000; index++) {
        const content = { ...EXECUTE, code: "", store_history: false };
        ids.push(await client.send("shell", "execute_request", content));
      }
      await client.exchange(ids.at(-1) ?? "");
      const replies = client.received.filter((message) => typeOf(message) === "execute_reply");
      expect(replies.map(parentOf).filter((id) => ids.includes(String(id)))).toEqual(ids);
    });

    test("sends ten megabytes of output", async () => {
      const code = "for (let i = 0; i < 1000; i++) console.log('x'.repeat(10_000))";
      expect(textOf("stdout", await client.execute(code))).toHaveLength(10_001_000);
    });

    test("serves several front ends, each with its own replies", async () => {
      const other = await kernel.connect();
      const [mine, theirs] = await Promise.all([
        client.execute("'mine'"),
        other.execute("'theirs'"),
      ]);
      expect(mine.reply.content["status"]).toBe("ok");
      expect(theirs.reply.content["status"]).toBe("ok");
      expect(other.received.map(parentOf)).toContain(parentOf(mine.reply));
    });

    describeRequests(() => kernel);
    describeControl(() => kernel);
    // What sockets do on each runtime, the contract of the transport shows.
    if (RUNS_ALL) describeUntrustedPeers(() => kernel);
    describeInterrupts(runtime, () => kernel);

    test("shuts down, replies and leaves no process", async () => {
      const { reply } = await client.request("control", "shutdown_request", { restart: true });
      expect(reply.content).toEqual({ status: "ok", restart: true });
      expect(await kernel.exited).toEqual({ code: 0, signal: null });
    });
  });
}
