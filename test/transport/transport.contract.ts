import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { Dealer, Request, type Socket, Subscriber } from "zeromq";
import { makeFolder } from "../support/folders.ts";
import { RUNTIME } from "../support/runtime.ts";
import { connectRaw, connectReady, greeting, ready } from "./raw-peer.ts";
import { type Endpoints, type Fixture, prepareFixture, type RuntimeName } from "./spawn-fixture.ts";

const MEGABYTE = 1024 * 1024;
const hasIPv6 = Object.values(networkInterfaces())
  .flat()
  .some((address) => address?.address === "::1");

const strings = (frames: readonly Uint8Array[]): string[] => frames.map((frame) => String(frame));

const planFor = (endpoint: (name: string) => string): Endpoints => ({
  shell: endpoint("shell"),
  control: endpoint("control"),
  iopub: endpoint("iopub"),
  heartbeat: endpoint("heartbeat"),
});
const tcp = planFor(() => "tcp://127.0.0.1:0");

/** The transport with an independent peer (libzmq) and hostile ones, on one runtime. */
function transportContract(runtime: RuntimeName): void {
  let spawnFixture: Awaited<ReturnType<typeof prepareFixture>>;
  const cleanups: (() => unknown)[] = [];
  const start = async (plan = tcp): Promise<Fixture> => {
    const fixture = await spawnFixture(plan);
    cleanups.push(() => fixture.stop());
    return fixture;
  };
  const connect = <Kind extends Socket & { connect(endpoint: string): void }>(
    socket: Kind,
    endpoint: string | undefined,
  ): Kind => {
    cleanups.unshift(() => socket.close());
    socket.connect(endpoint ?? "");
    return socket;
  };
  const dealer = (endpoint: string | undefined): Dealer =>
    connect(new Dealer({ linger: 0, receiveTimeout: 60_000 }), endpoint);
  const subscriber = async (fixture: Fixture, topic = "topic"): Promise<Subscriber> => {
    const socket = connect(
      new Subscriber({ linger: 0, receiveTimeout: 60_000 }),
      fixture.endpoints["iopub"],
    );
    socket.subscribe(topic, "welcome");
    const shell = dealer(fixture.endpoints["shell"]);
    // A subscription takes a while to arrive; the first message that does is the proof.
    let welcome: Uint8Array[] | undefined;
    void socket.receive().then((frames) => {
      welcome = frames;
    });
    while (welcome === undefined) await ask(shell, "publish", '{ "topic": "welcome" }');
    await ask(shell, "publish", '{ "topic": "welcome-end" }');
    while (String(welcome[0]) !== "welcome-end") welcome = await socket.receive();
    return socket;
  };
  const ask = async (socket: Dealer, ...frames: (string | Uint8Array)[]): Promise<string[]> => {
    await socket.send(frames);
    return strings(await socket.receive());
  };

  beforeAll(async () => {
    spawnFixture = await prepareFixture(runtime);
  });
  afterEach(async () => {
    for (const cleanup of cleanups.splice(0)) await cleanup();
  });

  describe(`transport on ${runtime}`, () => {
    const directory = makeFolder("ipc");
    const endpoints: [string, Endpoints, (endpoint: string) => string, boolean][] = [
      ["tcp on IPv4", tcp, (endpoint) => endpoint, true],
      ["tcp on IPv6", planFor(() => "tcp://[::1]:0"), (endpoint) => endpoint, hasIPv6],
      [
        "tcp on every interface",
        planFor(() => "tcp://*:0"),
        (e) => e.replace("*", "127.0.0.1"),
        true,
      ],
      [
        "tcp on 0.0.0.0",
        planFor(() => "tcp://0.0.0.0:0"),
        (e) => e.replace("0.0.0.0", "127.0.0.1"),
        true,
      ],
      ["tcp on localhost", planFor(() => "tcp://localhost:0"), (endpoint) => endpoint, true],
      ["ipc", planFor((name) => `ipc://${directory}/kernel-${name}`), (endpoint) => endpoint, true],
    ];
    for (const [name, plan, reach, available] of endpoints) {
      test.skipIf(!available)(
        `${name}${available ? "" : " (no IPv6 loopback here)"}: ROUTER, REP and PUB serve libzmq peers`,
        async () => {
          const fixture = await start(plan);
          const ipv6 = name.endsWith("IPv6");
          const shell = connect(
            new Dealer({ linger: 0, receiveTimeout: 60_000, ipv6 }),
            reach(fixture.endpoints["shell"] ?? ""),
          );
          expect(await ask(shell, "echo", "", "a", "")).toEqual(["echo", "a", ""]);
          const request = connect(
            new Request({ linger: 0, receiveTimeout: 60_000, ipv6 }),
            reach(fixture.endpoints["heartbeat"] ?? ""),
          );
          await request.send("ping");
          expect(strings(await request.receive())).toEqual(["ping"]);
          const listener = connect(
            new Subscriber({ linger: 0, receiveTimeout: 60_000, ipv6 }),
            reach(fixture.endpoints["iopub"] ?? ""),
          );
          listener.subscribe("to");
          const heard = listener.receive();
          const timer = setInterval(() => void shell.send(["publish", "{}"]), 20);
          expect(strings(await heard).slice(0, 2)).toEqual(["topic", expect.any(String)]);
          clearInterval(timer);
        },
      );
    }

    test("a DEALER's heartbeat is answered with and without an envelope", async () => {
      const fixture = await start();
      const heartbeat = dealer(fixture.endpoints["heartbeat"]);
      expect(await ask(heartbeat, "", "ping")).toEqual(["", "ping"]);
      expect(await ask(heartbeat, "ping")).toEqual(["ping"]);
      expect(await ask(heartbeat, "one", "two", "", "a", "", "b")).toEqual([
        "one",
        "two",
        "",
        "a",
        "",
        "b",
      ]);
    });

    test("a publisher sends only what was subscribed to", async () => {
      const fixture = await start();
      const listener = await subscriber(fixture, "wanted");
      const shell = dealer(fixture.endpoints["shell"]);
      await ask(shell, "publish", '{ "topic": "other" }');
      await ask(shell, "publish", '{ "topic": "wanted.more", "count": 3 }');
      const heard = [await listener.receive(), await listener.receive(), await listener.receive()];
      expect(heard.map((frames) => String(frames[1]))).toEqual(["0", "1", "2"]);
    });

    test("multi-frame messages of 64 MB arrive unchanged", async () => {
      const fixture = await start();
      const shell = dealer(fixture.endpoints["shell"]);
      const large = randomBytes(64 * MEGABYTE);
      await shell.send(["echo", "", large, "", "small", large.subarray(0, 70_000)]);
      const [, back, empty, small, middle] = await shell.receive();
      expect(back?.equals(large)).toBe(true);
      expect([String(empty), String(small)]).toEqual(["", "small"]);
      expect(middle?.equals(large.subarray(0, 70_000))).toBe(true);
    });

    test("a hundred clients at once each get their own replies", async () => {
      const fixture = await start();
      const clients = Array.from({ length: 100 }, () => dealer(fixture.endpoints["shell"]));
      const rounds = await Promise.all(
        clients.map(async (client, index) => {
          const answers: string[] = [];
          for (let round = 0; round < 10; round += 1) {
            const [, answer = ""] = await ask(client, "echo", "", `${index}/${round}`);
            answers.push(answer);
          }
          return answers;
        }),
      );
      for (const [index, answers] of rounds.entries()) {
        expect(answers).toEqual(Array.from({ length: 10 }, (_, round) => `${index}/${round}`));
      }
    });

    test("thousands of connects and disconnects leave nothing behind", async () => {
      const fixture = await start();
      const shell = dealer(fixture.endpoints["shell"]);
      await ask(shell, "echo");
      const before = fixture.descriptors();
      for (let round = 0; round < 100; round += 1) {
        const peers = await Promise.all(
          Array.from({ length: 20 }, () =>
            connectReady(fixture.endpoints["shell"] ?? "", "DEALER", `same${Math.random()}`),
          ),
        );
        for (const [index, { socket }] of peers.entries()) {
          if (index % 2 === 0) socket.destroy();
          else socket.resetAndDestroy();
        }
        for (const name of ["control", "iopub", "heartbeat"]) {
          const { socket } = connectRaw(fixture.endpoints[name] ?? "");
          socket.once("connect", () => socket.destroy());
        }
      }
      await expect.poll(() => fixture.descriptors()).toBeLessThanOrEqual(before + 5);
      expect(await ask(shell, "echo")).toEqual(["echo"]);
    });

    test("garbage, absurd sizes and peers that vanish do not disturb other peers", async () => {
      const fixture = await start();
      const peers = ["shell", "control", "heartbeat"].map((name) =>
        dealer(fixture.endpoints[name]),
      );
      for (const peer of peers) await ask(peer, "", "before");
      const handshake = Buffer.concat([greeting(3, 1), ready("DEALER")]);
      const hostile: Uint8Array[] = [
        Buffer.from("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"),
        Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00]),
        greeting(3, 1, "CURVE"),
        Buffer.concat([greeting(3, 1), Buffer.from([2, ...Array(8).fill(0xff)])]),
        Buffer.concat([handshake, Buffer.from([2, 0x7f, ...Array(7).fill(0xff)])]),
        Buffer.concat([handshake, Buffer.from([0xff, 1, 2, 3])]),
        Buffer.concat([handshake, Buffer.from([4, 0])]),
        ...Array.from({ length: 30 }, () => randomBytes(200)),
        ...Array.from({ length: 30 }, () => Buffer.concat([greeting(3, 1), randomBytes(200)])),
        ...Array.from({ length: 30 }, () => Buffer.concat([handshake, randomBytes(200)])),
      ];
      for (const name of Object.keys(fixture.endpoints)) {
        for (const bytes of hostile) {
          const peer = connectRaw(fixture.endpoints[name] ?? "");
          await once(peer.socket, "connect");
          peer.write(bytes);
          peer.socket.end();
          await peer.ended;
        }
        const vanishing = await connectReady(
          fixture.endpoints[name] ?? "",
          name === "iopub" ? "SUB" : "DEALER",
        );
        vanishing.write([2, 0, 0, 0, 0, 0, 1, 0, 0], "half of a frame");
        vanishing.socket.resetAndDestroy();
      }
      for (const peer of peers) await peer.send(["", "after"]);
      for (const peer of peers)
        expect(strings(await peer.receive()).at(-1)).toMatch(/after|undefined/);
    });

    test("a claim of 200 MB takes no memory until the bytes arrive", async () => {
      const fixture = await start();
      const shell = dealer(fixture.endpoints["shell"]);
      const before = Number((await ask(shell, "memory"))[0]);
      const size = Buffer.alloc(8);
      size.writeBigUInt64BE(200n * BigInt(MEGABYTE));
      for (let index = 0; index < 20; index += 1) {
        const peer = await connectReady(fixture.endpoints["shell"] ?? "", "DEALER");
        cleanups.push(() => peer.socket.destroy());
        peer.write([2, ...size], Buffer.alloc(1000));
      }
      const after = Number((await ask(shell, "memory"))[0]);
      expect(after - before).toBeLessThan(100 * MEGABYTE);
    });

    test("a subscriber that does not read loses messages, memory stays limited, others receive everything", async () => {
      const fixture = await start();
      const shell = dealer(fixture.endpoints["shell"]);
      const slow = await connectReady(fixture.endpoints["iopub"] ?? "", "SUB", "", 0);
      cleanups.push(() => slow.socket.destroy());
      slow.write([0, 1, 1]);
      const listener = await subscriber(fixture);
      slow.socket.pause();
      const before = Number((await ask(shell, "memory"))[0]);
      for (let round = 0; round < 40; round += 1) {
        await ask(shell, "publish", JSON.stringify({ count: 100, size: 100_000 }));
        for (let index = 0; index < 100; index += 1) {
          expect(String((await listener.receive())[1])).toBe(String(index));
        }
      }
      const after = Number((await ask(shell, "memory"))[0]);
      expect(after - before).toBeLessThan(200 * MEGABYTE);
    });

    test("requests sent while the thread computes are delayed, and none is lost", async () => {
      const fixture = await start();
      const shell = dealer(fixture.endpoints["shell"]);
      const before = Number((await ask(shell, "memory"))[0]);
      await shell.send(["spin", "1000"]);
      const block = Buffer.alloc(MEGABYTE);
      const sending = (async () => {
        for (let index = 0; index < 400; index += 1) {
          await shell.send(["echo", block, String(index)]);
        }
      })();
      expect(strings(await shell.receive())).toEqual(["spun"]);
      const inFlight = fixture.peakMemory() - before;
      for (let index = 0; index < 400; index += 1) {
        expect(String((await shell.receive())[1])).toBe(String(index));
      }
      await sending;
      expect(inFlight).toBeLessThan(250 * MEGABYTE);
    });

    test("a close sends what is queued first and removes socket files", async () => {
      const fixture = await start(planFor((name) => `ipc://${directory}/closing-${name}`));
      expect(existsSync(join(directory, "closing-shell"))).toBe(true);
      const listener = await subscriber(fixture);
      const shell = dealer(fixture.endpoints["shell"]);
      expect(await ask(shell, "shutdown")).toEqual(["bye"]);
      expect(String((await listener.receive())[1])).toBe("last words");
      expect(await fixture.exited).toBe(0);
      expect(existsSync(join(directory, "closing-shell"))).toBe(false);
    });

    test("the socket files of a killed kernel are replaced, those of a running one are not", async () => {
      const plan = planFor((name) => `ipc://${directory}/taken-${name}`);
      const first = await start(plan);
      const refused = await start(plan);
      expect(refused.endpoints["error"]).toMatch(/taken-\w+" failed: the address is in use/);
      expect(await ask(dealer(first.endpoints["shell"]), "echo")).toEqual(["echo"]);
      await first.stop();
      expect(existsSync(join(directory, "taken-shell"))).toBe(true);
      const second = await start(plan);
      expect(await ask(dealer(second.endpoints["shell"]), "echo")).toEqual(["echo"]);
    });

    test("the error for a port in use names the port", async () => {
      const first = await start();
      const endpoint = first.endpoints["shell"] ?? "";
      const refused = await start(
        planFor((name) => (name === "control" ? endpoint : "tcp://127.0.0.1:0")),
      );
      expect(refused.endpoints["error"]).toBe(
        `EndpointError: Binding "${endpoint}" failed: the address is in use; choose another, or stop the program that uses it`,
      );
    });

    test("a client that starts before the kernel, or outlives it, is served", async () => {
      const first = await start();
      const endpoint = first.endpoints["shell"] ?? "";
      const shell = dealer(endpoint);
      expect(await ask(shell, "echo")).toEqual(["echo"]);
      await first.stop();
      await start(planFor((name) => (name === "shell" ? endpoint : "tcp://127.0.0.1:0")));
      expect(await ask(shell, "echo", "", "again")).toEqual(["echo", "again"]);
    });
  });
}

transportContract(RUNTIME);
