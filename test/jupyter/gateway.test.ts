import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { WebSocket } from "ws";
import { hasTools } from "../support/require.ts";
import { createJupyterHome, type JupyterHome } from "./installed-kernel.ts";

/** A message of a server's WebSocket. */
interface Message {
  readonly channel: string;
  readonly header: { readonly msg_type: string };
  readonly parent_header: { readonly msg_id?: string };
  readonly content: Readonly<Record<string, unknown>>;
}

/** A kernel behind the REST and WebSocket interface of a server. */
interface RemoteKernel {
  /** Runs a cell; returns its reply and what was published for it, once it is idle. */
  execute(code: string): Promise<{ reply: Message; published: readonly Message[] }>;
  /** Starts a cell and waits until it prints that it runs. */
  begin(code: string): Promise<string>;
  ended(id: string): Promise<{ reply: Message; published: readonly Message[] }>;
  /** `interrupt` or `restart`; returns the status of the response. */
  order(action: string): Promise<number>;
  close(): Promise<number>;
}

/**
 * Debian's notebook server, as a client program uses it: by REST and WebSocket. The second server
 * has no kernels of its own and hands everything on to the first, as Jupyter does with a gateway.
 */
describe.skipIf(!hasTools("jupyter"))("the kernel behind a server", () => {
  let home: JupyterHome;
  const servers: ChildProcess[] = [];
  let address = "";

  beforeAll(async () => {
    home = await createJupyterHome();
    address = await startServer([`--gateway-url=${await startServer([])}`]);
  });
  afterAll(async () => {
    for (const server of servers.reverse()) {
      server.kill("SIGKILL");
      await once(server, "exit");
    }
    await home?.close();
  });

  async function startServer(options: readonly string[]): Promise<string> {
    const port = await freePort();
    const given = ["--no-browser", "--ip=127.0.0.1", `--port=${port}`, "--allow-root", ...options];
    const open = [
      ...["--NotebookApp.token=", "--NotebookApp.password="],
      "--NotebookApp.disable_check_xsrf=True",
    ];
    const command = ["notebook", ...given, ...open, home.folder];
    const server = spawn("/usr/bin/jupyter", command, {
      cwd: home.folder,
      env: home.env,
      stdio: "ignore",
    });
    servers.push(server);
    const address = `http://127.0.0.1:${port}`;
    while (!(await fetch(`${address}/api`).catch(() => undefined))?.ok) {
      if (server.exitCode !== null) throw new Error(`The server ended with ${server.exitCode}`);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    return address;
  }

  test("cells run through a gateway, an endless one is interrupted and state is kept, a restart forgets it", async () => {
    const specs = (await (await fetch(`${address}/api/kernelspecs`)).json()) as {
      kernelspecs: Readonly<Record<string, unknown>>;
    };
    const name = Object.keys(specs.kernelspecs).find((it) => it.startsWith("restlab")) ?? "";
    const kernel = await startRemoteKernel(address, name);

    const { reply, published } = await kernel.execute("const kept = 41; kept + 1");
    expect(reply.content["status"]).toBe("ok");
    expect(published.map(({ header }) => header.msg_type)).toContain("execute_result");

    const id = await kernel.begin("console.log('runs'); while (true) {}");
    expect(await kernel.order("interrupt")).toBe(204);
    const ended = await kernel.ended(id);
    expect(ended.reply.content["status"]).toBe("error");
    expect(ended.published.map(({ content }) => content["ename"])).toContain("InterruptedError");
    expect((await kernel.execute("kept")).reply.content["status"]).toBe("ok");

    expect(await kernel.order("restart")).toBe(200);
    const forgotten = await kernel.execute("kept");
    expect(forgotten.reply.content["evalue"]).toMatch(/Cannot find name 'kept'/);
    expect(await kernel.close()).toBe(204);
  }, 120_000);
});

async function startRemoteKernel(address: string, name: string): Promise<RemoteKernel> {
  const post = (path: string, body?: object): Promise<Response> =>
    fetch(`${address}/api/kernels${path}`, {
      method: "POST",
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  const { id } = (await (await post("", { name })).json()) as { id: string };
  const received: Message[] = [];
  const watchers = new Set<() => void>();
  const socket = new WebSocket(`${address.replace("http", "ws")}/api/kernels/${id}/channels`);
  socket.on("message", (data) => {
    received.push(JSON.parse(String(data)));
    for (const watch of watchers) watch();
  });
  await once(socket, "open");

  function wait(matches: (message: Message) => boolean): Promise<Message> {
    return new Promise((resolve) => {
      const watch = (): void => {
        const found = received.find(matches);
        if (found === undefined) return;
        watchers.delete(watch);
        resolve(found);
      };
      watchers.add(watch);
      watch();
    });
  }

  function send(code: string): string {
    const id = randomUUID();
    const header = {
      msg_id: id,
      msg_type: "execute_request",
      session: "client",
      username: "",
      date: new Date().toISOString(),
      version: "5.3",
    };
    const content = {
      ...{ code, silent: false, store_history: true, user_expressions: {} },
      ...{ allow_stdin: false, stop_on_error: true },
    };
    const parts = { header, parent_header: {}, metadata: {}, content, buffers: [] };
    socket.send(JSON.stringify({ channel: "shell", ...parts }));
    return id;
  }

  async function ended(id: string): ReturnType<RemoteKernel["ended"]> {
    const isOurs = ({ parent_header }: Message): boolean => parent_header.msg_id === id;
    const reply = await wait((it) => isOurs(it) && it.header.msg_type === "execute_reply");
    await wait((it) => isOurs(it) && it.content["execution_state"] === "idle");
    return { reply, published: received.filter((it) => isOurs(it) && it.channel === "iopub") };
  }

  return {
    ended,
    execute: async (code) => await ended(send(code)),
    begin: async (code) => {
      const id = send(code);
      await wait(
        ({ header, parent_header }) => parent_header.msg_id === id && header.msg_type === "stream",
      );
      return id;
    },
    order: async (action) => (await post(`/${id}/${action}`)).status,
    close: async () => {
      socket.close();
      return (await fetch(`${address}/api/kernels/${id}`, { method: "DELETE" })).status;
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  await new Promise((done) => server.close(done));
  return port;
}
