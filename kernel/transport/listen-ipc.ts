import { chmod, lstat, mkdtemp, rename, rm, unlink } from "node:fs/promises";
import { createConnection, type Server } from "node:net";
import { dirname, join } from "node:path";
import { bind, closeServer, codeOf, IN_USE, type Listener } from "./bind.ts";
import { checkLength, renderEndpoint } from "./endpoint.ts";
import { EndpointError } from "./errors.ts";

/**
 * Listens on a socket file of its owner's alone, which is removed again at the end. One that nobody
 * answers on is replaced.
 */
export async function listenIpc(server: Server, path: string): Promise<Listener> {
  await removeStale(path);
  await bindPrivately(server, path);
  const { ino } = await lstat(path);
  return {
    endpoint: { kind: "ipc", path },
    close: async () => {
      await closeServer(server);
      await removeOwn(path, ino);
    },
  };
}

/**
 * The file gets its name when its rights are right: between `bind` and `chmod` it has those that the
 * umask leaves, and the umask cannot be set in a worker.
 */
async function bindPrivately(server: Server, path: string): Promise<void> {
  const folder = await mkdtemp(join(dirname(path), "."));
  const hidden = join(folder, "s");
  try {
    checkLength(hidden);
    await bind(server, { path: hidden });
    await chmod(hidden, 0o600);
    await rename(hidden, path);
  } catch (error) {
    if (server.listening) await closeServer(server);
    throw error;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** A kernel that was killed leaves its socket file behind: nobody answers on it. */
async function removeStale(path: string): Promise<void> {
  try {
    const status = await lstat(path);
    if (!status.isSocket()) throw inUse(path, "a file that is not a socket is there");
    if (await answers(path)) throw inUse(path, IN_USE);
    await unlink(path);
  } catch (error) {
    if (codeOf(error) !== "ENOENT") throw error;
  }
}

function inUse(path: string, reason: string): EndpointError {
  return new EndpointError(renderEndpoint({ kind: "ipc", path }), reason, "EADDRINUSE");
}

function answers(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createConnection({ path });
    probe.once("connect", () => {
      probe.destroy();
      resolve(true);
    });
    probe.once("error", (error) => resolve(!["ECONNREFUSED", "ENOENT"].includes(codeOf(error))));
  });
}

/** Another kernel may have taken the path meanwhile; its file stays. */
async function removeOwn(path: string, ino: number): Promise<void> {
  try {
    const status = await lstat(path);
    if (status.ino === ino) await unlink(path);
  } catch (error) {
    if (codeOf(error) !== "ENOENT") throw error;
  }
}
