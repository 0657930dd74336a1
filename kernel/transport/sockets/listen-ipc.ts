import { chmodSync, lstatSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { lstat, unlink } from "node:fs/promises";
import { createConnection, type Server } from "node:net";
import { dirname } from "node:path";
import { EndpointError } from "../zmtp/mod.ts";
import { bind, closeServer, codeOf, IN_USE, type Listener } from "./bind.ts";
import { checkLength, renderEndpoint } from "./endpoint.ts";

/**
 * Listens on a socket file of its owner's alone, which is removed again at the end. One that nobody
 * answers on is replaced.
 */
export async function listenIpc(server: Server, path: string): Promise<Listener> {
  await removeStale(path);
  const inode = await bindPrivately(server, path);
  return {
    endpoint: { kind: "ipc", path },
    close: async () => {
      await closeServer(server);
      await removeOwn(path, inode);
    },
  };
}

/**
 * The file gets its name when its rights are right: between `bind` and `chmod` it has those that the
 * umask leaves, and the umask cannot be set in a worker.
 */
async function bindPrivately(server: Server, path: string): Promise<number> {
  const folder = mkdtempSync(`${dirname(path)}/.`);
  const hidden = `${folder}/s`;
  try {
    checkLength(hidden);
    await bind(server, { path: hidden });
    // Nothing is awaited from here on: peers come as soon as there is the name, and shall be served.
    chmodSync(hidden, 0o600);
    const { ino } = lstatSync(hidden);
    renameSync(hidden, path);
    return ino;
  } catch (error) {
    if (server.listening) await closeServer(server);
    throw error;
  } finally {
    rmSync(folder, { recursive: true, force: true });
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
async function removeOwn(path: string, inode: number): Promise<void> {
  try {
    const status = await lstat(path);
    if (status.ino === inode) await unlink(path);
  } catch (error) {
    if (codeOf(error) !== "ENOENT") throw error;
  }
}
