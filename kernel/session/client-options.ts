import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { parseWrittenJson } from "../../lib/json/mod.ts";
import {
  type ClientOptions,
  createSecretSource,
  type LoginPrompt,
  type Value,
} from "../../lib/mod.ts";
import {
  createConnect,
  foldersUpToRoot,
  limitTime,
  listenForRedirect,
  openFile,
  openFileForWriting,
  openUrl,
  openWebSocket,
  replacedFetch,
  SecretPrograms,
} from "../platform/mod.ts";
import { currentOutput, currentOwner, runOutsideCells } from "./output.ts";

/** What a client uses of its platform. */
export interface ClientPlatform {
  /** The folder of the files of requests and environments, absolute. */
  readonly directory: string;
  readonly readFile?: (path: string) => Promise<Uint8Array>;
  readonly writeFile?: (path: string, text: string) => Promise<void>;
  readonly openFileForWriting?: ClientOptions["openFileForWriting"];
  readonly environment?: { readonly [name: string]: string | undefined };
  /** The programs that fetch secrets, if sessions share them. */
  readonly secretPrograms?: SecretPrograms | undefined;
  /** Imports documents for a line `%import`. */
  readonly importDocuments?:
    | ((line: string, directory: string) => Promise<readonly string[]>)
    | undefined;
  /** Whether the process is of another program. */
  readonly isGuest?: boolean | undefined;
}

/** The options of a client for files, the network, the process and packages. */
export function clientOptionsOf({
  directory,
  readFile,
  writeFile,
  environment,
  openFileForWriting: openForWriting = openFileForWriting,
  secretPrograms = new SecretPrograms({ environment: environment ?? {} }),
}: ClientPlatform): ClientOptions {
  const connect = createConnect(environment ?? {});
  return {
    connect: (connection) => shared(connect(connection)),
    fetch: replacedFetch(),
    openFile: (path) => openFile(resolve(directory, path)),
    environmentFolder: foldersUpToRoot(directory),
    limitTime,
    listenForRedirect,
    login: logIn,
    openFileForWriting: (path, options) => openForWriting(resolve(directory, path), options),
    owner: () => currentOwner()?.signal,
    onPending: (request) => currentOutput()?.live.add(request),
    onManyProgress: (progress) => currentOutput()?.live.showMany(progress),
    openWebSocket,
    loadFaker: () => loadPackage("@faker-js/faker", directory),
    readFile,
    writeFile,
    processEnv: environment,
    secretSource: createSecretSource(secretPrograms.in(directory)),
  };
}

/** All cells share the connections of a fetch and their timers: no cell owns them. */
function shared(send: typeof fetch): typeof fetch {
  return (...given) => runOutsideCells(() => send(...given));
}

/** Loads a package from the user's folder, or one that is installed with restlab. */
async function loadPackage(name: string, directory: string): Promise<unknown> {
  let path: string;
  try {
    path = createRequire(join(directory, "__restlab__.js")).resolve(name);
  } catch {
    // Its error is the one to report.
    return await import(name);
  }
  return await import(pathToFileURL(path).href);
}

/** Prints how to log in to the output of the cell, and opens a browser if there is one. */
async function logIn(prompt: LoginPrompt): Promise<void> {
  if (prompt.kind === "browser") {
    console.log(`Log in with your browser: ${prompt.url}`);
    await openUrl(prompt.url);
    return;
  }
  const until = prompt.expiresAt.toLocaleTimeString();
  console.log(`Log in at ${prompt.url} with the code ${prompt.code} (until ${until})`);
  await openUrl(prompt.completeUrl ?? prompt.url);
}

/** Parses the value of `--var NAME=VALUE` as in a variable line: JSON, or else text. */
export function parseVariableValue(text: string): Value {
  try {
    return parseWrittenJson(text);
  } catch {
    // It is text, as in `--var name=Ada`.
    return text;
  }
}
