import assert from "node:assert/strict";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { WebSocketServer } from "ws";
import type { Outcome, Shown } from "../../../kernel/session/cell/mod.ts";
import type { Contract, Lab } from "./lab.ts";

/** A server that answers when it is told to. */
async function startSlowServer() {
  const open: ServerResponse[] = [];
  /** Whether the next request is answered as it comes: a cell shows that it waits before the server has its request. */
  let isDue = false;
  const server = createServer((request, response) => {
    if (request.url === "/head") {
      response.writeHead(200, { "Content-Type": "text/plain" });
      response.flushHeaders();
    }
    if (request.url === "/fast") response.end("ok");
    else if (isDue) response.end("done");
    else open.push(response);
    isDue = false;
  });
  const sockets = new WebSocketServer({ server });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    answer: () => {
      isDue = open.length === 0;
      for (const response of open.splice(0)) response.end("done");
    },
    close: () => {
      for (const socket of sockets.clients) socket.terminate();
      sockets.close();
      server.closeAllConnections();
      server.close();
    },
  };
}

/** What a cell shows in outputs that can be replaced. */
interface Watched {
  /** The texts of each output, in the order in which it showed them. */
  readonly outputs: string[][];
  readonly ended: Promise<Outcome>;
  /** Waits until the cell shows a text. */
  shows(pattern: RegExp): Promise<void>;
}

function watch({ session }: Lab, code: string): Watched {
  const outputs: string[][] = [];
  const watchers = new Set<() => void>();
  const put = (index: number, shown: Shown): void => {
    const texts = outputs[index] ?? [];
    texts.push(String(shown.bundle()["text/plain"]));
    outputs[index] = texts;
    for (const watcher of watchers) watcher();
  };
  const sink = {
    stream: () => undefined,
    display: () => undefined,
    displayWithId: (shown: Shown) => {
      put(outputs.length, shown);
      return String(outputs.length - 1);
    },
    update: (id: string, shown: Shown) => put(Number(id), shown),
  };
  const ended = session.execute(code, sink);
  const shows = (pattern: RegExp): Promise<void> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        if (outputs.flat().some((text) => pattern.test(text))) resolve();
      };
      watchers.add(look);
      look();
      ended.then(() => reject(new Error(`The cell has not shown ${pattern}: ${outputs}`)));
    });
  return { outputs, ended, shows };
}

type SlowServer = Awaited<ReturnType<typeof startSlowServer>>;

function withServer(check: (lab: Lab, server: SlowServer) => Promise<void>) {
  return async (lab: Lab): Promise<void> => {
    const server = await startSlowServer();
    lab.session.settings.timeout = 30_000;
    // A cell that is watched does not compile for long.
    await lab.ok("0");
    try {
      await check(lab, server);
    } finally {
      server.close();
    }
  };
}

/** After the first look; how long that took, a loaded machine decides. */
const ONE_SECOND = /waiting [1-9](?:\.\d)? s of 30 s/;

export const waiting: Contract = {
  "a request without an answer shows how long it has been waited for": withServer(
    async (lab, { base, answer }) => {
      const { outputs, ended, shows } = watch(lab, `GET ${base}/never`);
      await shows(ONE_SECOND);
      answer();
      assert.deepEqual(await ended, { status: "ok" });
      assert.equal(outputs.length, 1);
      assert.match(String(outputs[0]?.[0]), /^GET \S+\/never\nwaiting \d(?:\.\d)? s of 30 s$/);
      assert.match(String(outputs[0]?.at(-1)), /^200 OK · Successful · GET \S+\/never/);
    },
  ),
  "an answer without a first byte of its body shows how long it takes": withServer(
    async (lab, { base, answer }) => {
      const { outputs, ended, shows } = watch(lab, `GET ${base}/head`);
      await shows(/in progress · 0 bytes in 1\.\d s/);
      answer();
      await ended;
      assert.equal(outputs.length, 1);
      assert.match(String(outputs[0]?.at(-1)), /^200 OK[\s\S]*done$/);
    },
  ),
  "a request that fails has no answer, and no longer waits": withServer(async (lab, { base }) => {
    lab.session.settings.timeout = 900;
    const { outputs, ended } = watch(lab, `GET ${base}/never`);
    assert.equal((await ended).status, "error");
    assert.match(String(outputs[0]?.[0]), /waiting 0\.\d s of 0\.9 s/);
    assert.equal(outputs[0]?.at(-1), `GET ${base}/never\nno answer`);
  }),
  "a fast answer shows nothing but itself": withServer(async (lab, { base }) => {
    for (const code of [`GET ${base}/fast`, `await client.send("GET ${base}/fast")`]) {
      const { outputs, ended } = watch(lab, code);
      const outcome = await ended;
      assert.deepEqual(outputs, []);
      assert.ok(outcome.status === "ok" && outcome.result !== undefined);
    }
  }),
  "a TypeScript cell shows it as well, until the answer is there": withServer(
    async (lab, { base, answer }) => {
      for (const call of [
        `client.send("GET ${base}/never")`,
        `client.send({ url: "${base}/head" })`,
        `client.sendAll("GET ${base}/fast\\n###\\nGET ${base}/never")`,
        `client.extend({}).send("GET ${base}/never")`,
      ]) {
        const { outputs, ended, shows } = watch(lab, `const got = await ${call}; got`);
        await shows(ONE_SECOND);
        answer();
        const outcome = await ended;
        assert.ok(outcome.status === "ok" && outcome.result !== undefined, call);
        assert.equal(outputs.length, 1, call);
        assert.match(String(outputs[0]?.[0]), /^GET \S+\nwaiting 0\.\d s of 30 s$/);
        assert.equal(outputs[0]?.at(-1), "", call);
      }
    },
  ),
  "several requests of a cell share an output": withServer(async (lab, { base, answer }) => {
    const code =
      `const [one, other] = await Promise.all(["a", "b"].map((it) => client.send("GET ${base}/" + it)));\n` +
      `await client.send("GET ${base}/c"); one.text + other.text`;
    const { outputs, ended, shows } = watch(lab, code);
    await shows(/\/a\nwaiting 1 s of 30 s and 1 more request$/);
    answer();
    await shows(/\/c\nwaiting \d\.?\d* s of 30 s$/);
    answer();
    assert.equal((await ended).status, "ok");
    assert.equal(outputs.length, 1);
    assert.equal(outputs[0]?.at(-1), "");
  }),
  "a cell that catches the error has nothing more to wait for": withServer(
    async (lab, { base }) => {
      const { outputs, ended } = watch(
        lab,
        `try { await client.send("GET ${base}/never", { timeout: 900 }); } catch {}\n"caught"`,
      );
      const outcome = await ended;
      assert.ok(outcome.status === "ok" && outcome.result?.value === "caught");
      assert.match(String(outputs[0]?.[0]), /waiting 0\.\d s of 0\.9 s/);
      assert.equal(outputs[0]?.at(-1), "");
    },
  ),
  "an interrupt ends it": withServer(async (lab, { base }) => {
    const { outputs, ended, shows } = watch(lab, `await client.send("GET ${base}/never")`);
    await shows(/waiting/);
    lab.session.interrupt();
    assert.equal((await ended).status, "error");
    // No empty output is left.
    assert.equal(outputs[0]?.at(-1), `GET ${base}/never\nno answer`);
  }),
  "an open WebSocket is not waited for": withServer(async (lab, { base, answer }) => {
    const code =
      `const socket = await client.websocket("${base}/socket");\n` +
      `await client.send("GET ${base}/never"); socket.close(); 0`;
    const { outputs, ended, shows } = watch(lab, code);
    await shows(ONE_SECOND);
    answer();
    assert.equal((await ended).status, "ok");
    assert.equal(outputs.flat().join("\n").includes("WEBSOCKET"), false);
    assert.equal(outputs.flat().join("\n").includes("more request"), false);
  }),
  "what a cell sends after its end shows in no cell": withServer(async (lab, { base, answer }) => {
    const first = watch(
      lab,
      `const late = client.send("GET ${base}/late");\n` +
        `const timer = setInterval(() => void client.send("GET ${base}/timer").catch(() => 0), 50); 0`,
    );
    await first.ended;
    for (const code of [
      `await client.send("GET ${base}/never")`,
      `GET ${base}/never`,
      "%env\nawait new Promise((done) => setTimeout(done, 1_500))",
    ]) {
      const { outputs, ended, shows } = watch(lab, code);
      if (!code.startsWith("%")) {
        await shows(ONE_SECOND);
        answer();
      }
      await ended;
      assert.equal(/\/late|\/timer|more request/.test(outputs.flat().join("\n")), false, code);
    }
    lab.session.interrupt();
    await lab.ok("clearInterval(timer)");
    answer();
    assert.deepEqual(first.outputs, []);
  }),
};
