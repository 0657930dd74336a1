import {
  type BoundSocket,
  bindPublisher,
  bindReplier,
  bindRouter,
  type Publisher,
  type Router,
} from "../../kernel/jupyter/zmtp/mod.ts";
import type { Endpoints } from "./spawn-fixture.ts";

/** The program that the transport contract controls. */
const [planText = ""] = process.argv.slice(2);
const plan: Endpoints = JSON.parse(planText);
const text = (frame: Uint8Array | undefined): string => Buffer.from(frame ?? []).toString();
const bytes = (value: unknown): Uint8Array => Buffer.from(String(value));
const log = (line: string): void => console.error(line);
const open: BoundSocket[] = [];
let publisher: Publisher;

const commands: Record<string, (argument: string) => unknown> = {
  echo: () => "echo",
  memory: () => process.memoryUsage().rss,
  spin(argument) {
    const end = performance.now() + Number(argument);
    while (performance.now() < end);
    return "spun";
  },
  publish(argument) {
    const { topic = "topic", count = 1, size = 0 } = JSON.parse(argument);
    for (let index = 0; index < count; index += 1) {
      publisher.send([bytes(topic), bytes(index), new Uint8Array(size)]);
    }
    return count;
  },
};

async function openRouter(endpoint: string): Promise<Router> {
  const router: Router = await bindRouter({
    endpoint,
    log,
    receive({ identity, frames }) {
      const [command, argument, ...rest] = frames;
      if (text(command) === "shutdown") {
        router.send(identity, [bytes("bye")]);
        publisher.send([bytes("topic"), bytes("last words")]);
        void close().then(() => process.exit(0));
        return;
      }
      const result = commands[text(command)]?.(text(argument));
      router.send(identity, [bytes(result), ...rest]);
    },
  });
  return router;
}

async function close(): Promise<void> {
  await Promise.all(open.map((socket) => socket.close()));
}

try {
  const bind = async <Kind extends BoundSocket>(binding: Promise<Kind>): Promise<Kind> => {
    const socket = await binding;
    open.push(socket);
    return socket;
  };
  publisher = await bind(bindPublisher({ endpoint: plan.iopub, log, queueSize: 16 * 1024 * 1024 }));
  const shell = await bind(openRouter(plan.shell));
  const control = await bind(openRouter(plan.control));
  const heartbeat = await bind(bindReplier({ endpoint: plan.heartbeat, log }));
  const endpoints = {
    shell: shell.endpoint,
    control: control.endpoint,
    iopub: publisher.endpoint,
    heartbeat: heartbeat.endpoint,
  };
  console.log(JSON.stringify({ pid: process.pid, endpoints }));
} catch (error) {
  console.log(JSON.stringify({ pid: process.pid, endpoints: { error: String(error) } }));
  await close();
}
