import { chmodSync, lstatSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { lstat, unlink } from "node:fs/promises";
import { createConnection, type Server } from "node:net";
import { dirname } from "node:path";
import { EndpointError } from "../zmtp/mod.ts";
import { bind, codeOf, IN_USE, type Listener } from "./bind.ts";
import { checkLength, renderEndpoint } from "./endpoint.ts";

/**
 * Listens on a socket file that only its owner may use, and removes it in the end. A stale socket
 * file is replaced.
 */
export async function listenIpc(server: Server, path: string): Promise<Listener> {
  await removeStale(path);
  const inode = await bindPrivately(server, path);
  return {
    endpoint: { kind: "ipc", path },
    close: async () => {
      server.close();
      await removeOwn(path, inode);
    },
  };
}

/**
 * Binds in a private folder and renames the file once its mode is set: between `bind` and `chmod` it has
 * the mode that the umask leaves, and a worker cannot set the umask.
 */
async function bindPrivately(server: Server, path: string): Promise<number> {
  const folder = mkdtempSync(`${dirname(path)}/.`);
  const hidden = `${folder}/s`;
  try {
    checkLength(hidden);
    await bind(server, { path: hidden });
    // Nothing is awaited from here on: peers connect as soon as the file has its name.
    chmodSync(hidden, 0o600);
    const { ino } = lstatSync(hidden);
    renameSync(hidden, path);
    return ino;
  } catch (error) {
    if (server.listening) server.close();
    throw error;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A kernel that was killed leaves its socket file, which refuses connections. */
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

/** Another kernel may have replaced the file meanwhile; that one stays. */
async function removeOwn(path: string, inode: number): Promise<void> {
  try {
    const status = await lstat(path);
    if (status.ino === inode) await unlink(path);
  } catch (error) {
    if (codeOf(error) !== "ENOENT") throw error;
  }
}
