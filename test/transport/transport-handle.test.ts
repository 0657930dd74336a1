import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";
import { afterAll, expect, test } from "vitest";
import { Dealer } from "zeromq";
import { startTransport, type TransportPlan } from "../../kernel/jupyter/zmtp/mod.ts";
import { openTransport } from "../../kernel/jupyter/zmtp/open-transport.ts";

const plan: TransportPlan = {
  sockets: {
    shell: { type: "router", endpoint: "tcp://127.0.0.1:0" },
    iopub: { type: "publisher", endpoint: "tcp://127.0.0.1:0" },
  },
  data: { secret: 7 },
};

const folder = mkdtempSync(join(tmpdir(), "restlab-worker-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let workers = 0;
function workerOf(source: string): Worker {
  const path = join(folder, `worker-${workers++}.mjs`);
  writeFileSync(path, source);
  return new Worker(pathToFileURL(path));
}

test("openTransport gives the plan's data to the hooks, which see each message first", async () => {
  const passed: string[] = [];
  const posted: unknown[] = [];
  const transport = openTransport(
    plan,
    {
      received: ({ frames }) => void passed.push(Buffer.from(frames[0] ?? []).toString()),
      posted: (value) => void posted.push(value),
    },
    ({ data, post, send }) => ({
      received({ socket, identity, frames }) {
        post(data);
        if (Buffer.from(frames[0] ?? []).toString() !== "kept") return false;
        send(socket, identity, [Buffer.from("by the hook")]);
        return true;
      },
    }),
  );
  const { shell = "" } = await transport.bound;
  const dealer = new Dealer({ linger: 0, receiveTimeout: 10_000 });
  dealer.connect(shell);
  await dealer.send("passed");
  await dealer.send("kept");
  expect(String(await dealer.receive())).toBe("by the hook");
  expect(passed).toEqual(["passed"]);
  expect(posted).toEqual([{ secret: 7 }, { secret: 7 }]);
  dealer.close();
  await transport.close(0);
});

test("a name that is not in the plan, or of another type, is a TypeError", async () => {
  const here = openTransport(plan, { received: () => undefined });
  const idle = startTransport(
    plan,
    { received: () => undefined },
    workerOf("setInterval(() => {}, 1000)"),
  );
  for (const transport of [here, idle]) {
    const identity = new Uint8Array();
    expect(() => transport.send("stdin", identity, [])).toThrow(
      'Sending on "stdin" failed: the plan has no router of that name',
    );
    expect(() => transport.publish("shell", [])).toThrow(TypeError);
  }
  await Promise.all([here.close(0), idle.close(0)]);
});

test("if one socket cannot be bound, none stays open", async () => {
  const first = openTransport(plan, { received: () => undefined });
  const { shell = "", iopub = "" } = await first.bound;
  await first.close(0);
  const holder = openTransport(
    { sockets: { iopub: { type: "publisher", endpoint: iopub } } },
    { received: () => undefined },
  );
  await holder.bound;
  const sockets = {
    shell: { type: "router", endpoint: shell },
    iopub: { type: "publisher", endpoint: iopub },
  } as const;
  const second = openTransport({ sockets }, { received: () => undefined });
  await expect(second.bound).rejects.toMatchObject({ endpoint: iopub, code: "EADDRINUSE" });
  const third = openTransport(
    { sockets: { shell: { type: "router", endpoint: shell } } },
    { received: () => undefined },
  );
  await expect(third.bound).resolves.toEqual({ shell });
  await Promise.all([holder.close(0), second.close(0), third.close(0)]);
});

test.each([
  ["throws", 'throw new Error("broken at its start")', /broken at its start/],
  ["ends", "process.exit(3)", /The transport's worker ended with code 3/],
])(
  "a worker that %s is reported, and what is sent then goes nowhere",
  async (_how, source, message) => {
    const failures: Error[] = [];
    const transport = startTransport(
      plan,
      { received: () => undefined, failed: (error) => void failures.push(error) },
      workerOf(source),
    );
    await expect(transport.bound).rejects.toThrow(message);
    expect(failures).toHaveLength(1);
    transport.publish("iopub", [new Uint8Array(100 * 1024 * 1024)]);
    transport.publish("iopub", [new Uint8Array(1)]);
    await transport.close();
    expect(failures).toHaveLength(1);
  },
);

test("close ends a worker that does not answer", async () => {
  const failures: Error[] = [];
  const transport = startTransport(
    plan,
    { received: () => undefined, failed: (error) => void failures.push(error) },
    workerOf("while (true);"),
  );
  await transport.close(0);
  expect(failures).toEqual([]);
});
