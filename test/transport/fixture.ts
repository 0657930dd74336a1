import { Worker } from "node:worker_threads";
import { startTransport, type TransportPlan } from "../../kernel/jupyter/zmtp/mod.ts";
import { openTransport } from "../../kernel/jupyter/zmtp/open-transport.ts";

/** The program that the transport contract controls. */
const [planText = "", workerPath] = process.argv.slice(2);
const plan: TransportPlan = JSON.parse(planText);
const text = (frame: Uint8Array | undefined): string => Buffer.from(frame ?? []).toString();
const bytes = (value: unknown): Uint8Array => Buffer.from(String(value));
const posted: unknown[] = [];

const commands: Record<string, (argument: string, rest: readonly Uint8Array[]) => unknown> = {
  echo: () => "echo",
  memory: () => process.memoryUsage().rss,
  posted: () => JSON.stringify(posted),
  post: (argument) => transport.post(argument),
  spin(argument) {
    const end = performance.now() + Number(argument);
    while (performance.now() < end);
    return "spun";
  },
  "publish-and-spin"(argument) {
    transport.publish("iopub", [bytes("topic"), bytes("while busy")]);
    return commands["spin"]?.(argument, []);
  },
  "hold-up-and-post"() {
    transport.post("hold up");
    const start = performance.now();
    transport.post("large", 65 * 1024 * 1024);
    return performance.now() - start;
  },
  "hold-up-and-publish"(argument) {
    transport.post("hold up");
    return commands["publish"]?.(argument, []);
  },
  publish(argument) {
    const { topic = "topic", count = 1, size = 0 } = JSON.parse(argument);
    for (let index = 0; index < count; index += 1) {
      transport.publish("iopub", [bytes(topic), bytes(index), new Uint8Array(size)]);
    }
    return count;
  },
};

const events = {
  received({ socket, identity, frames }: Parameters<typeof answer>[0]): void {
    answer({ socket, identity, frames });
  },
  posted: (value: unknown) => void posted.push(value),
  log: (line: string) => console.error(line),
  failed: (error: Error) => console.error(`failed: ${error.message}`),
};
const transport =
  workerPath === undefined
    ? openTransport(plan, events)
    : startTransport(plan, events, new Worker(new URL(workerPath, import.meta.url)));

try {
  console.log(JSON.stringify({ pid: process.pid, endpoints: await transport.bound }));
} catch (error) {
  console.log(JSON.stringify({ pid: process.pid, endpoints: { error: String(error) } }));
  await transport.close();
}

function answer(message: {
  socket: string;
  identity: Uint8Array;
  frames: readonly Uint8Array[];
}): void {
  const [command, argument, ...rest] = message.frames;
  if (text(command) === "shutdown") {
    transport.send(message.socket, message.identity, [bytes("bye")]);
    transport.publish("iopub", [bytes("topic"), bytes("last words")]);
    void transport.close().then(() => process.exit(0));
    return;
  }
  const result = commands[text(command)]?.(text(argument), rest);
  transport.send(message.socket, message.identity, [bytes(result), ...rest]);
}
