// The least that a front end takes for a kernel of JavaScript: libzmq, signed messages, `vm`. It checks
// nothing, masks nothing and keeps nothing; what a cell takes beyond it is what a kernel adds.
//
//   node test/bench/bare-kernel.mjs <connection file>
import { createHmac, randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { inspect } from "node:util";
import { runInThisContext } from "node:vm";
import { Publisher, Reply, Router } from "zeromq";

const connection = JSON.parse(readFileSync(process.argv[2], "utf8"));
const session = randomUUID();
const sockets = {
  shell: new Router(),
  control: new Router(),
  stdin: new Router(),
  iopub: new Publisher(),
  hb: new Reply(),
};
let count = 0;
const HANDLERS = {
  kernel_info_request: () => ({
    status: "ok",
    protocol_version: "5.3",
    implementation: "bare",
    implementation_version: "1",
    banner: "",
    language_info: { name: "javascript", version: process.version, file_extension: ".js" },
  }),
  execute_request: async ({ code }, header) => {
    count += 1;
    await publish("execute_input", { code, execution_count: count }, header);
    const waits = code.startsWith("await ");
    const value = await runInThisContext(waits ? `(async () => ${code})()` : code);
    if (value !== undefined) {
      const data = { "text/plain": inspect(value) };
      await publish("execute_result", { execution_count: count, data, metadata: {} }, header);
    }
    return { status: "ok", execution_count: count, payload: [], user_expressions: {} };
  },
};

for (const [name, socket] of Object.entries(sockets)) {
  await socket.bind(`tcp://${connection.ip}:${connection[`${name}_port`]}`);
}
void serve(sockets.shell);
void serve(sockets.control);
for await (const [beat] of sockets.hb) await sockets.hb.send(beat);

async function serve(socket) {
  for await (const frames of socket) {
    const at = frames.findIndex((frame) => frame.toString() === "<IDS|MSG>");
    const parts = frames.slice(at + 2);
    if (sign(parts.slice(0, 4)) !== frames[at + 1].toString()) continue;
    const [header, , , content] = parts.map((part) => JSON.parse(part));
    await publish("status", { execution_state: "busy" }, header);
    const reply = await HANDLERS[header.msg_type]?.(content, header);
    if (reply !== undefined) {
      const type = header.msg_type.replace("_request", "_reply");
      await socket.send([...frames.slice(0, at), ...render(type, reply, header)]);
    }
    await publish("status", { execution_state: "idle" }, header);
  }
}

function publish(type, content, parent) {
  return sockets.iopub.send([Buffer.from(type), ...render(type, content, parent)]);
}

function render(type, content, parent) {
  const header = {
    msg_id: randomUUID(),
    msg_type: type,
    session,
    username: "bare",
    date: new Date().toISOString(),
    version: "5.3",
  };
  const parts = [header, parent, {}, content].map((part) => Buffer.from(JSON.stringify(part)));
  return [Buffer.from("<IDS|MSG>"), Buffer.from(sign(parts)), ...parts];
}

function sign(parts) {
  const mac = createHmac("sha256", connection.key);
  for (const part of parts) mac.update(part);
  return mac.digest("hex");
}
