import { lstat, unlink } from "node:fs/promises";
import { createConnection, type Server } from "node:net";
import { bind, closeServer, codeOf, type Listener } from "./bind.ts";
import { renderEndpoint } from "./endpoint.ts";
import { EndpointError } from "./errors.ts";

/** Listens on a socket file, which is removed again at the end. One that nobody answers on is replaced. */
export async function listenIpc(server: Server, path: string): Promise<Listener> {
  try {
    await bind(server, { path });
  } catch (error) {
    if (codeOf(error) !== "EADDRINUSE") throw error;
    await removeStale(path, error);
    await bind(server, { path });
  }
  const { ino } = await lstat(path);
  return {
    endpoint: { kind: "ipc", path },
    close: async () => {
      await closeServer(server);
      await removeOwn(path, ino);
    },
  };
}

/** A kernel that was killed leaves its socket file behind: nobody answers on it. */
async function removeStale(path: string, inUse: unknown): Promise<void> {
  const endpoint = renderEndpoint({ kind: "ipc", path });
  const status = await lstat(path);
  if (!status.isSocket()) {
    throw new EndpointError(endpoint, "a file that is not a socket is there", "EADDRINUSE");
  }
  if (await answers(path)) throw inUse;
  await unlink(path);
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
