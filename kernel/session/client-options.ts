import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { ClientOptions } from "../../lib/mod.ts";
import {
  createConnect,
  createPlatformFetch,
  createProxiedFetch,
  currentRuntime,
  foldersUpToRoot,
  listenForRedirect,
  openFile,
  openFileForWriting,
  openWebSocket,
} from "../platform/mod.ts";
import { logIn } from "./log-in.ts";
import { currentOwner, runOutsideCells, showManyProgress } from "./output/mod.ts";

/** What a client of a session gets from outside. */
export interface ClientPlatform {
  /** The folder that files of requests and environments start from, absolute. */
  readonly directory: string;
  readonly readFile?: (path: string) => Promise<Uint8Array>;
  readonly writeFile?: (path: string, text: string) => Promise<void>;
  readonly openFileForWriting?: ClientOptions["openFileForWriting"];
  readonly environment?: { readonly [name: string]: string | undefined };
}

/** The options by which a client reaches files, the process and packages. */
export function clientOptionsOf({
  directory,
  readFile,
  writeFile,
  environment,
  openFileForWriting: openForWriting = openFileForWriting,
}: ClientPlatform): ClientOptions {
  const runtime = currentRuntime();
  const fetch = createProxiedFetch(runtime, environment ?? {});
  const platformFetch = createPlatformFetch(runtime, environment ?? {});
  const connect = createConnect(runtime, environment ?? {});
  return {
    connect: async (connection) => shared(await connect(connection)),
    openFile: (path) => openFile(resolve(directory, path)),
    environmentFolder: foldersUpToRoot(directory),
    listenForRedirect,
    login: logIn,
    ...(fetch === undefined ? {} : { fetch: shared(fetch) }),
    ...(platformFetch === undefined
      ? {}
      : { platformFetch: (runtimeFetch) => platformFetch(shared(runtimeFetch)) }),
    openFileForWriting: (path, options) => openForWriting(resolve(directory, path), options),
    owner: () => currentOwner()?.signal,
    onManyProgress: showManyProgress,
    openWebSocket,
    loadFaker: () => loadPackage("@faker-js/faker", directory),
    ...(readFile === undefined ? {} : { readFile }),
    ...(writeFile === undefined ? {} : { writeFile }),
    ...(environment === undefined ? {} : { processEnv: environment }),
  };
}

/** The connections of a fetch, and the timers that look after them, serve all cells: none owns them. */
function shared<A extends unknown[], R>(send: (...given: A) => R): (...given: A) => R {
  return (...given) => runOutsideCells(() => send(...given));
}

/** A package of the user's folder, or else one that is installed beside us. */
async function loadPackage(name: string, directory: string): Promise<unknown> {
  let path: string;
  try {
    path = createRequire(join(directory, "__restlab__.js")).resolve(name);
  } catch {
    return await import(name); // Not there: whatever this says is what the caller tells.
  }
  return await import(pathToFileURL(path).href);
}
