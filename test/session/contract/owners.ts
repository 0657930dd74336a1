import assert from "node:assert/strict";
import { WebSocketServer } from "ws";
import {
  type CountingServer,
  endlessCells,
  startCountingServer,
} from "../../support/endless-cells.ts";
import { type Contract, type Lab, pause, until } from "./lab.ts";

/** The count of a path once what had left before has arrived: the server is in this very process, which may be slow. */
async function settledCount(server: CountingServer, path: string): Promise<number> {
  for (let round = 0, quiet = 0, before = -1; round < 60 && quiet < 6; round++) {
    quiet = before === server.count(path) ? quiet + 1 : 0;
    before = server.count(path);
    await pause(50);
  }
  return server.count(path);
}

/** The owner of a cell ends in one way, whatever has ended the cell: all cells are interrupted, half are ended otherwise. */
const WAYS = {
  interrupt: () => true,
  limit: (_cell: unknown, index: number) => index % 2 === 0,
  signal: (_cell: unknown, index: number) => index % 2 === 1,
};

/** Runs endless cells, ends them in some way, and counts what still comes for two seconds. */
async function endAll(lab: Lab, how: keyof typeof WAYS): Promise<void> {
  const server = await startCountingServer();
  const after = new Map<string, number>();
  try {
    for (const [path, code] of endlessCells(server.base).filter(WAYS[how])) {
      const end = new AbortController();
      const limit = { milliseconds: 250, reason: new RangeError("over") };
      const running = lab.run(code, how === "limit" ? { limit } : { signal: end.signal });
      const ended = await Promise.race([server.seen(path, 3), running]);
      if (ended === undefined && how === "interrupt") lab.session.interrupt();
      if (ended === undefined && how === "signal") end.abort();
      const { outcome } = await running;
      assert.ok(outcome.status === "error", path);
      const said = outcome.error.traceback.join("\n");
      assert.equal(outcome.error.name, how === "limit" ? "RangeError" : "InterruptedError", said);
      after.set(path, await settledCount(server, path));
    }
    await pause(2000);
    const more = [...after].filter(([path, count]) => server.count(path) !== count);
    assert.deepEqual(
      more.map(([path, count]) => `${path}: ${server.count(path) - count} more`),
      [],
    );
    assert.equal(lab.session.client.pending.length, 0);
  } finally {
    server.close();
  }
}

export const owners: Contract = {
  "nothing that a cell began continues after an interrupt": (lab) => endAll(lab, "interrupt"),
  "nothing that a cell began continues after its limit": (lab) => endAll(lab, "limit"),
  "nothing that a cell began continues after its signal": (lab) => endAll(lab, "signal"),
  "what other cells own continues, whoever wrote the functions": async (lab) => {
    const server = await startCountingServer();
    try {
      await lab.ok(
        `const send = (path: string) => client.send("GET ${server.base}" + path).catch(() => 0);\n` +
          `const timer = setInterval(async () => { await send("/first"); await send("/first-again"); }, 20);`,
      );
      // The function is the first cell's; the timer, and what it sends, are the second one's.
      const running = lab.run(
        "setInterval(() => send('/second'), 20); while (true) { await new Promise((done) => setTimeout(done, 5)); }",
      );
      await server.seen("/second", 3);
      lab.session.interrupt();
      assert.equal((await running).outcome.status, "error");
      const second = await settledCount(server, "/second");
      await server.seen("/first-again", server.count("/first-again") + 20);
      assert.equal(server.count("/second"), second);
      await lab.ok("clearInterval(timer)");
    } finally {
      server.close();
    }
  },
  "what cells began ends with the session": async (lab) => {
    const server = await startCountingServer();
    try {
      await lab.ok(
        `setInterval(async () => { await client.send("GET ${server.base}/left"); }, 10);\n` +
          `(async () => { while (true) { try { await client.send("GET ${server.base}/left"); } catch {} } })(); 1`,
      );
      await server.seen("/left", 3);
      await lab.session.close();
      const before = await settledCount(server, "/left");
      await pause(500);
      assert.equal(server.count("/left"), before);
    } finally {
      server.close();
    }
  },
  "an interrupted cell that waited for the rate limit lets others through": async (lab) => {
    const server = await startCountingServer();
    try {
      await lab.ok(
        "const slow = client.extend({ rate: { requests: 1, per: 2500 } });\n" +
          `const send = (path: string) => slow.send("GET ${server.base}" + path);\n` +
          "await send('/first'); setTimeout(() => send('/third'), 1000);",
      );
      const running = lab.run("await send('/second')");
      await until(() => lab.session.client.pending.length > 1);
      lab.session.interrupt();
      assert.equal((await running).outcome.status, "error");
      await server.seen("/third", 1);
      assert.equal(server.count("/second"), 0);
    } finally {
      server.close();
    }
  },
  "a WebSocket of another cell stays open, and the interrupted one sends nothing over it": async (
    lab,
  ) => {
    let messages = 0;
    let closed = 0;
    const server = new WebSocketServer({ port: 0, host: "127.0.0.1" });
    server.on("connection", (socket) => {
      socket.on("message", () => {
        messages += 1;
      });
      socket.on("close", () => {
        closed += 1;
      });
    });
    await new Promise((resolve) => server.once("listening", resolve));
    const { port } = server.address() as { port: number };
    try {
      await lab.ok(`const mine = await client.websocket("ws://127.0.0.1:${port}"); mine.url`);
      const running = lab.run(
        `const other = await client.websocket("ws://127.0.0.1:${port}");\n` +
          "while (true) { try { mine.send('a'); other.send('b'); } catch {} await new Promise((done) => setTimeout(done, 5)); }",
      );
      await until(() => messages > 5);
      lab.session.interrupt();
      assert.equal((await running).outcome.status, "error");
      await until(() => closed > 0);
      const before = messages;
      await pause(300);
      assert.deepEqual([messages, closed], [before, 1]);
      await lab.ok("mine.send('c')");
      await until(() => messages > before);
      await lab.ok("await mine.close()");
    } finally {
      for (const socket of server.clients) socket.terminate();
      server.close();
    }
  },
  "code of an interrupted cell does not continue after an await": async (lab) => {
    await lab.ok("const seen: string[] = []; let open = (): void => {}");
    const running = lab.run(
      "const gate = new Promise<void>((done) => { open = done; });\n" +
        "seen.push('waits'); try { await gate; seen.push('goes on'); } finally { seen.push('ends'); }",
    );
    while ((await Promise.race([running, pause(20)])) !== undefined);
    await pause(50);
    lab.session.interrupt();
    await running;
    await lab.ok("open()");
    assert.equal((await lab.ok("seen.join()")).value, "waits,ends");
  },
};
