import {
  checkOptions,
  type RenderTextOptions,
  SEND_OPTIONS,
  type SendOptions,
} from "../http/mod.ts";
import type { SetVarOptions } from "../variables/mod.ts";
import type { SocketOptions } from "../websocket/mod.ts";
import type { AllOptions } from "./all.ts";
import type { Client, ClientOptions, ExtendOptions } from "./client.ts";
import type { DownloadOptions } from "./download.ts";
import type { PaginateOptions } from "./paginate.ts";
import { checkSchema, type SchemaOption } from "./standard-schema.ts";
import type { StreamOptions } from "./stream.ts";

/** The names of options: one that is misspelt would be ignored in silence. */
type Names<Options> = Readonly<Record<keyof Options, true>>;

const EXTEND_OPTIONS: Names<ExtendOptions> = {
  auth: true,
  baseUrl: true,
  charset: true,
  concurrency: true,
  connect: true,
  connection: true,
  cookies: true,
  crossOriginBody: true,
  fetch: true,
  headers: true,
  ky: true,
  listenForRedirect: true,
  login: true,
  maxBodyBytes: true,
  maxRedirects: true,
  openFile: true,
  rate: true,
  readFile: true,
  redirect: true,
  retry: true,
  timeout: true,
};

const CLIENT_OPTIONS: Names<ClientOptions> = {
  ...EXTEND_OPTIONS,
  ask: true,
  cellVariables: true,
  environmentFolder: true,
  historyBytes: true,
  historyCount: true,
  limitTime: true,
  loadFaker: true,
  now: true,
  onExchange: true,
  onManyProgress: true,
  onPending: true,
  openFileForWriting: true,
  openGrowingFile: true,
  openWebSocket: true,
  owner: true,
  processEnv: true,
  replay: true,
  secretNames: true,
  secretSource: true,
  seed: true,
  writeFile: true,
};

const ONE_SEND_OPTIONS: Names<SendOptions & SchemaOption> = { ...SEND_OPTIONS, schema: true };
const ALL_OPTIONS: Names<AllOptions> = {
  ...ONE_SEND_OPTIONS,
  concurrency: true,
  onProgress: true,
  onResult: true,
  stopOnError: true,
};
const DOWNLOAD_OPTIONS: Names<DownloadOptions> = { ...SEND_OPTIONS, replace: true, resume: true };
const PAGINATE_OPTIONS: Names<PaginateOptions> = {
  ...ONE_SEND_OPTIONS,
  items: true,
  maxItems: true,
  maxPages: true,
};
const RENDER_OPTIONS: Names<RenderTextOptions> = { checked: true, missing: true };
const SET_VAR_OPTIONS: Names<SetVarOptions> = { onUse: true, secret: true };
const STREAM_OPTIONS: Names<StreamOptions> = {
  ...SEND_OPTIONS,
  as: true,
  keepBytes: true,
  reconnect: true,
};
const WEBSOCKET_OPTIONS: Names<SocketOptions> = {
  auth: true,
  connection: true,
  cookies: true,
  headers: true,
  protocols: true,
  signal: true,
  timeout: true,
};

/** Where the options of a member of a client are among its arguments, and their names. */
const OF_MEMBERS = {
  send: [1, ONE_SEND_OPTIONS],
  sendAll: [1, SEND_OPTIONS],
  stream: [1, STREAM_OPTIONS],
  download: [2, DOWNLOAD_OPTIONS],
  paginate: [2, PAGINATE_OPTIONS],
  all: [1, ALL_OPTIONS],
  websocket: [1, WEBSOCKET_OPTIONS],
  render: [1, RENDER_OPTIONS],
  renderAll: [1, RENDER_OPTIONS],
  setVar: [2, SET_VAR_OPTIONS],
  extend: [0, EXTEND_OPTIONS],
} as const satisfies {
  readonly [Name in Exclude<keyof Client, "toString">]?: readonly [number, Readonly<object>];
};

/**
 * Refuses unknown options of a call, and what is no schema.
 *
 * @throws {TypeError} There is one; the message names the nearest.
 */
export function checkOptionsOf(member: string, given: readonly unknown[]): void {
  const known = OF_MEMBERS[member as keyof typeof OF_MEMBERS] as
    | readonly [number, Readonly<Record<string, true>>]
    | undefined;
  if (known === undefined) return;
  const [index, names] = known;
  const options = given[index] as SchemaOption | undefined;
  checkOptions(options, names, `client.${member}`);
  checkSchema(options?.schema);
}

/**
 * Refuses unknown options of a client.
 *
 * @throws {TypeError} There is one; the message names the nearest.
 */
export function checkClientOptions(options: ClientOptions): void {
  checkOptions(options, CLIENT_OPTIONS, "createClient");
}
