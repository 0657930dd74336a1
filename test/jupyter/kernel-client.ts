import { createHmac, randomUUID } from "node:crypto";
import { Dealer, Request as Requester, Subscriber } from "zeromq";
import { type Fields, problemsOf, type Received } from "./message-schema.ts";

/** The connection file of a kernel, as a front end writes it. */
export interface Connection {
  readonly transport: string;
  readonly ip: string;
  readonly shell_port: number;
  readonly iopub_port: number;
  readonly stdin_port: number;
  readonly control_port: number;
  readonly hb_port: number;
  readonly key: string;
  readonly signature_scheme: string;
  readonly kernel_name: string;
}

/** A request and its reply. */
export interface Exchange {
  readonly reply: Received;
  /** What was published for it, from busy to idle. */
  readonly published: readonly Received[];
}

/** What a client expects of a kernel. */
export interface ClientOptions {
  /** Another kernel: it sends no welcome, and its messages may violate the specification. */
  readonly isForeign?: boolean;
}

/** A front end over libzmq, which checks every message of restlab against the schema. */
export interface KernelClient {
  readonly received: readonly Received[];
  /** Sends a message and returns its identifier. */
  send(channel: "shell" | "control" | "stdin", type: string, content: Fields): Promise<string>;
  sendFrames(channel: "shell" | "control", frames: readonly Uint8Array[]): Promise<void>;
  /** The frames of a message, signed with the kernel's key or another. */
  sign(type: string, content: unknown, key?: string): { id: string; frames: Uint8Array[] };
  /** Waits for a message, which may have been received already. */
  wait(matches: (message: Received) => boolean, what: string): Promise<Received>;
  /** Waits for the reply to a message and for the idle that ends it. */
  exchange(id: string): Promise<Exchange>;
  request(channel: "shell" | "control", type: string, content?: Fields): Promise<Exchange>;
  execute(code: string, options?: Fields): Promise<Exchange>;
  /** Milliseconds that a heartbeat took. */
  beat(): Promise<number>;
  /** Rejects everything that is waited for, now and later: the kernel has ended. */
  giveUp(reason: string): void;
  close(): void;
}

const DELIMITER = Buffer.from("<IDS|MSG>");
const PATIENCE = 90_000;
/** After a timeout, so that a kernel that hangs does not delay every further test. */
const IMPATIENCE = 10_000;

export const typeOf = ({ header }: Received): string => String(header["msg_type"]);
export const parentOf = ({ parent }: Received): unknown => parent["msg_id"];
/** The messages of one type. */
export const only = (type: string, { published }: Exchange): readonly Received[] =>
  published.filter((message) => typeOf(message) === type);
/** All text of a stream of a cell. */
export const textOf = (name: string, exchange: Exchange): string =>
  only("stream", exchange)
    .filter(({ content }) => content["name"] === name)
    .map(({ content }) => content["text"])
    .join("");

export async function connectClient(
  connection: Connection,
  { isForeign = false }: ClientOptions = {},
): Promise<KernelClient> {
  const { transport, ip, key } = connection;
  const session = randomUUID();
  const received: Received[] = [];
  const waiting = new Set<() => void>();
  let gone: string | undefined;
  let isSilent = false;
  const faults: string[] = [];
  const ipv6 = ip.includes(":");
  const host = ipv6 ? `[${ip}]` : ip;
  const at = (port: number): string =>
    transport === "ipc" ? `ipc://${ip}-${port}` : `tcp://${host}:${port}`;
  // A kernel that is starting is tried often, so that it is known when it was there.
  const often = { linger: 0, reconnectInterval: 5, ipv6 };
  const options = { ...often, routingId: `client-${session}` };
  const sockets = {
    shell: new Dealer(options),
    control: new Dealer(options),
    stdin: new Dealer(options),
  };
  const iopub = new Subscriber({ ...often, receiveHighWaterMark: 0 });
  const heartbeat = new Requester({ ...often, receiveTimeout: PATIENCE });
  sockets.shell.connect(at(connection.shell_port));
  sockets.control.connect(at(connection.control_port));
  sockets.stdin.connect(at(connection.stdin_port));
  iopub.connect(at(connection.iopub_port));
  iopub.subscribe();
  heartbeat.connect(at(connection.hb_port));
  for (const [channel, socket] of Object.entries(sockets)) void listen(channel, socket);
  void listen("iopub", iopub);

  async function listen(channel: string, socket: AsyncIterable<Buffer[]>): Promise<void> {
    for await (const frames of socket) {
      const message = parse(channel, frames, key);
      if (!isForeign) faults.push(...problemsOf(message));
      received.push(message);
      isSilent = false;
      for (const check of [...waiting]) check();
    }
  }

  function wait(matches: (message: Received) => boolean, what: string): Promise<Received> {
    return new Promise((resolve, reject) => {
      let seen = 0;
      const patience = isSilent ? IMPATIENCE : PATIENCE;
      const timer = setTimeout(() => {
        waiting.delete(check);
        isSilent = true;
        reject(new Error(`Waiting for ${what} failed: nothing came in ${patience} ms`));
      }, patience);
      const check = (): void => {
        if (gone !== undefined) reject(new Error(`Waiting for ${what} failed: ${gone}`));
        if (faults.length > 0) {
          reject(new Error(`Checking a message failed: ${faults.splice(0).join("; ")}`));
        }
        const found = received.slice(seen).find(matches);
        seen = received.length;
        if (found === undefined) return;
        waiting.delete(check);
        clearTimeout(timer);
        resolve(found);
      };
      waiting.add(check);
      check();
    });
  }

  function sign(type: string, content: unknown, withKey = key) {
    const id = randomUUID();
    const header = {
      msg_id: id,
      msg_type: type,
      session,
      username: "test",
      date: new Date().toISOString(),
      version: "5.3",
    };
    const parts = [header, {}, {}, content].map((part) => Buffer.from(JSON.stringify(part)));
    return { id, frames: [DELIMITER, signature(parts, withKey), ...parts] };
  }

  const client: KernelClient = {
    received,
    sign,
    wait,
    send: async (channel, type, content) => {
      const { id, frames } = sign(type, content);
      await sockets[channel].send(frames);
      return id;
    },
    sendFrames: (channel, frames) => sockets[channel].send([...frames] as Buffer[]),
    exchange: async (id) => {
      const reply = await wait(
        (message) => typeOf(message).endsWith("_reply") && parentOf(message) === id,
        `the reply to ${id}`,
      );
      await wait(
        (message) =>
          message.channel === "iopub" &&
          parentOf(message) === id &&
          message.content["execution_state"] === "idle",
        `idle after ${typeOf(reply)}`,
      );
      const published = received.filter(
        (message) => message.channel === "iopub" && parentOf(message) === id,
      );
      return { reply, published };
    },
    request: async (channel, type, content = {}) =>
      await client.exchange(await client.send(channel, type, content)),
    execute: async (code, given = {}) =>
      await client.request("shell", "execute_request", { ...EXECUTE, code, ...given }),
    beat: async () => {
      const start = performance.now();
      const word = randomUUID();
      await heartbeat.send(word);
      const [echo] = await heartbeat.receive();
      if (String(echo) !== word) throw new Error(`Heartbeat failed: ${echo} is not ${word}`);
      return performance.now() - start;
    },
    giveUp: (reason) => {
      gone = reason;
      for (const check of [...waiting]) check();
    },
    close: () => {
      for (const socket of [...Object.values(sockets), iopub, heartbeat]) socket.close();
    },
  };
  await subscribed();
  return client;

  /** Waits until the subscription has arrived, so that nothing is missed from now on. */
  async function subscribed(): Promise<void> {
    const said = (type: string) => wait((message) => typeOf(message) === type, type);
    if (!isForeign) {
      await said("iopub_welcome");
      return;
    }
    let isThere = false;
    const first = said("status").then(() => {
      isThere = true;
    });
    // Where it fails the requests below fail as well.
    first.catch(() => undefined);
    // What is published before that is lost, and nobody says so.
    while (!isThere) {
      const id = await client.send("shell", "kernel_info_request", {});
      await wait((message) => parentOf(message) === id && message.channel === "shell", "a reply");
      await Promise.race([first, new Promise((done) => setTimeout(done, 20))]);
    }
  }
}

/** What front ends send with every cell. */
export const EXECUTE: Fields = {
  silent: false,
  store_history: true,
  user_expressions: {},
  allow_stdin: false,
  stop_on_error: true,
};

function parse(channel: string, frames: readonly Buffer[], key: string): Received {
  const start = frames.findIndex((frame) => frame.equals(DELIMITER));
  const [given, ...parts] = frames.slice(start + 1, start + 6);
  if (!given?.equals(signature(parts, key)))
    throw new Error("A message came with a wrong signature");
  const [header, parent, metadata, content] = parts.map((part) => JSON.parse(part.toString()));
  const topic = frames.slice(0, start).map(String).join(" ");
  return { channel, topic, header, parent, metadata, content, at: performance.now() };
}

function signature(parts: readonly Uint8Array[], key: string): Buffer {
  if (key === "") return Buffer.alloc(0);
  const hmac = createHmac("sha256", key);
  for (const part of parts) hmac.update(part);
  return Buffer.from(hmac.digest("hex"));
}
