import { existsSync, readdirSync, statSync, watch, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { EndpointError } from "../../kernel/jupyter/zmtp/endpoint.ts";
import { bindRouter, type Router } from "../../kernel/jupyter/zmtp/router.ts";
import { makeFolder } from "../support/folders.ts";
import { connectRaw } from "./raw-peer.ts";

const directory = makeFolder("listen");
const open: Router[] = [];

async function bind(endpoint: string): Promise<Router> {
  const router = await bindRouter({ endpoint, receive: () => undefined });
  open.push(router);
  return router;
}

afterEach(async () => {
  for (const router of open.splice(0)) await router.close(0);
});

test("port 0 is replaced by the assigned port, the host stays as it was given", async () => {
  expect((await bind("tcp://127.0.0.1:0")).endpoint).toMatch(/^tcp:\/\/127\.0\.0\.1:[1-9]\d+$/);
  expect((await bind("tcp://localhost:0")).endpoint).toMatch(/^tcp:\/\/localhost:[1-9]\d+$/);
  expect((await bind("tcp://*:0")).endpoint).toMatch(/^tcp:\/\/\*:[1-9]\d+$/);
});

test("every interface includes IPv4's loopback", async () => {
  for (const host of ["*", "0.0.0.0"]) {
    const { endpoint } = await bind(`tcp://${host}:0`);
    const peer = connectRaw(endpoint);
    await peer.until(64);
    peer.socket.destroy();
  }
});

test.each([
  ["tcp://192.0.2.1:0", "EADDRNOTAVAIL", /this machine does not have that address/],
  [
    `ipc://${directory}/missing/socket`,
    "",
    /failed: the folder of the path does not exist or may not/,
  ],
])("%s is refused with the reason", async (endpoint, code, message) => {
  const failure = await bind(endpoint).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(EndpointError);
  expect(failure).toMatchObject({ endpoint, message: expect.stringMatching(message) });
  if (code !== "") expect(failure).toMatchObject({ code });
});

test("a port in use is refused", async () => {
  const first = await bind("tcp://127.0.0.1:0");
  await expect(bind(first.endpoint)).rejects.toMatchObject({ code: "EADDRINUSE" });
});

test("a file that is not a socket is kept", async () => {
  const path = join(directory, "notes.txt");
  writeFileSync(path, "mine");
  await expect(bind(`ipc://${path}`)).rejects.toThrow("a file that is not a socket is there");
  expect(statSync(path).isFile()).toBe(true);
});

test("a socket file that another program listens on is kept", async () => {
  const path = join(directory, "other");
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(path, resolve));
  await expect(bind(`ipc://${path}`)).rejects.toThrow("the address is in use");
  expect(existsSync(path)).toBe(true);
  other.close();
});

test.each([0o000, 0o002, 0o022])(
  "a socket file is its owner's alone with umask %o",
  async (mask) => {
    const path = join(directory, `mask-${mask}`);
    const before = process.umask(mask);
    try {
      await bind(`ipc://${path}`);
    } finally {
      process.umask(before);
    }
    expect((statSync(path).mode & 0o777).toString(8)).toBe("600");
    const peer = connectRaw(`ipc://${path}`);
    await peer.until(64);
    peer.socket.destroy();
    expect(readdirSync(directory).filter((name) => name.startsWith("."))).toEqual([]);
  },
);

test("a socket file never has other permissions, not even for a moment", async () => {
  const folder = makeFolder("moment");
  const modes = new Set<number>();
  const watching = watch(folder, (_event, name) => {
    const status = statSync(join(folder, String(name)), { throwIfNoEntry: false });
    if (status !== undefined) modes.add(status.mode & 0o077);
  });
  const before = process.umask(0);
  try {
    for (let round = 0; round < 50; round++) await bind(`ipc://${folder}/socket-${round}`);
  } finally {
    process.umask(before);
  }
  await expect.poll(() => modes.size).toBeGreaterThan(0);
  watching.close();
  expect([...modes]).toEqual([0]);
});

test("a socket file is removed on close and can be bound again at once", async () => {
  const path = join(directory, "again");
  for (let round = 0; round < 3; round += 1) {
    const router = await bind(`ipc://${path}`);
    expect(statSync(path).isSocket()).toBe(true);
    await router.close();
    expect(existsSync(path)).toBe(false);
  }
});
