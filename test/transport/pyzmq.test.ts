import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { bindPublisher } from "../../kernel/jupyter/zmtp/publisher.ts";
import { bindReplier, bindRouter, type Router } from "../../kernel/jupyter/zmtp/router.ts";
import { makeFolder } from "../support/folders.ts";

/** Debian's python3-zmq belongs to the system's Python, even if `python3` is another. */
const python = ["/usr/bin/python3", "python3"].find((command) => {
  if (command.startsWith("/") && !existsSync(command)) return false;
  try {
    execFileSync(command, ["-c", "import zmq"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
});

const PROGRAM = `
import sys, zmq
context = zmq.Context()
def connect(kind, endpoint, **options):
    socket = context.socket(kind)
    socket.linger = 0
    socket.rcvtimeo = 120000
    for name, value in options.items():
        setattr(socket, name, value)
    socket.connect(endpoint)
    return socket
router, publisher, replier = sys.argv[1:]
request = connect(zmq.REQ, replier)
request.send(b"ping")
assert request.recv_multipart() == [b"ping"]
dealer = connect(zmq.DEALER, router, identity=b"python", heartbeat_ivl=50, heartbeat_timeout=60000)
large = bytes(64 * 1024 * 1024)
dealer.send_multipart([b"a", b"", large, b"end"])
assert dealer.recv_multipart() == [b"a", b"", large, b"end"]
subscriber = connect(zmq.SUB, publisher)
subscriber.subscribe(b"top")
while True:
    dealer.send_multipart([b"publish"])
    dealer.recv_multipart()
    if subscriber.poll(50):
        break
assert subscriber.recv_multipart() == [b"topic", b"heard"]
many = [connect(zmq.DEALER, router) for _ in range(50)]
for index, socket in enumerate(many):
    socket.send(b"%d" % index)
for index, socket in enumerate(many):
    assert socket.recv() == b"%d" % index
dealer.disconnect(router)
dealer.connect(router)
dealer.send(b"again")
assert dealer.recv() == b"again"
print("done", zmq.zmq_version())
`;

const directory = makeFolder("pyzmq");
const reason = python === undefined ? " (skipped: no Python with zmq here)" : "";

test.skipIf(python === undefined).each([
  ["tcp", () => "tcp://127.0.0.1:0"],
  ["ipc", (name: string) => `ipc://${directory}/${name}`],
])(
  `pyzmq over %s: REQ, DEALER with heartbeats, SUB, 64 MB, many, reconnect${reason}`,
  async (_kind, endpoint) => {
    const publisher = await bindPublisher({ endpoint: endpoint("iopub") });
    const replier = await bindReplier({ endpoint: endpoint("heartbeat") });
    const router: Router = await bindRouter({
      endpoint: endpoint("shell"),
      receive({ identity, frames }) {
        if (Buffer.from(frames[0] ?? []).toString() === "publish") {
          publisher.send([Buffer.from("other"), Buffer.from("not heard")]);
          publisher.send([Buffer.from("topic"), Buffer.from("heard")]);
        }
        router.send(identity, frames);
      },
    });
    const child = spawn(python ?? "", [
      "-c",
      PROGRAM,
      router.endpoint,
      publisher.endpoint,
      replier.endpoint,
    ]);
    let output = "";
    child.stdout.on("data", (chunk) => {
      output += chunk;
    });
    child.stderr.on("data", (chunk) => {
      output += chunk;
    });
    const [code] = await once(child, "close");
    await Promise.all([router.close(0), publisher.close(0), replier.close(0)]);
    expect(output).toMatch(/^done \d/);
    expect(code).toBe(0);
  },
);
