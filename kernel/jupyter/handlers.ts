import { cursorOf, textOf, toCodePoints } from "./content.ts";
import { execute } from "./execute.ts";
import type { Handler } from "./kernel.ts";
import type { Replies } from "./protocol.ts";

const complete: Handler = async ({ job }, kernel) => {
  const code = textOf(job.content, "code");
  const session = await kernel.session();
  const { start, end, candidates } = await session.complete(code, cursorOf(job.content, code));
  const range = { start: toCodePoints(code, start), end: toCodePoints(code, end) };
  return {
    status: "ok",
    matches: candidates.map(({ text }) => text),
    cursor_start: range.start,
    cursor_end: range.end,
    metadata: {
      // JupyterLab shows an icon for the type and the signature beside the name.
      _jupyter_types_experimental: candidates.map(({ text, kind, detail }) => ({
        text,
        type: kind,
        ...(detail === undefined ? {} : { signature: detail }),
        ...range,
      })),
    },
  } satisfies Replies["complete_reply"];
};

const inspect: Handler = async ({ job }, kernel) => {
  const code = textOf(job.content, "code");
  const session = await kernel.session();
  const found = await session.inspect(code, cursorOf(job.content, code));
  if (found === undefined) {
    return {
      status: "ok",
      found: false,
      data: {},
      metadata: {},
    } satisfies Replies["inspect_reply"];
  }
  // A static import would delay the first reply of the kernel.
  const { fence } = await import("../../lib/display/mod.ts");
  const { signature, documentation, language = "typescript" } = found;
  const plain = documentation === "" ? signature : `${signature}\n\n${documentation}`;
  // Comments in code are Markdown; values and warnings are text, mostly from a server.
  const isMarkdown = language === "typescript" || documentation === "";
  const below = isMarkdown ? documentation : fence(documentation, "text");
  const markdown = `${fence(signature, language)}\n\n${below}`.trimEnd();
  return {
    status: "ok",
    found: true,
    data: { "text/plain": plain, "text/markdown": markdown },
    metadata: {},
  } satisfies Replies["inspect_reply"];
};

const isComplete: Handler = async ({ job }, kernel) => {
  const session = await kernel.session();
  return await session.isComplete(textOf(job.content, "code"));
};

const history: Handler = async ({ job }, kernel) => {
  const former = await (await kernel.kept()).former();
  const found = kernel.history.select(job.content, former);
  if (found.length === 0) return { status: "ok", history: found };
  // Masked on request: a text may have become a secret after it was typed.
  const { secrets } = (await kernel.session()).client;
  // Loaded with the session: a static import would delay the first reply of the kernel.
  const { maskValue } = await import("../../lib/mod.ts");
  return { status: "ok", history: maskValue(found, secrets) };
};

/** This kernel has no comms: widgets are a feature of Python kernels. */
const commInfo: Handler = () => ({ status: "ok", comms: {} });

/**
 * Refuses a comm, since no target is registered.
 *
 * @see https://jupyter-client.readthedocs.io/en/latest/messaging.html#opening-a-comm
 */
const commOpen: Handler = ({ job }, { channels }) => {
  const id = job.content["comm_id"];
  if (typeof id === "string") channels.publish("comm_close", { comm_id: id, data: {} }, job);
  return undefined;
};

/** Ignores a message to a comm, whose `comm_open` was refused. */
const commIgnored: Handler = () => undefined;

/**
 * The handlers of the shell channel by message type. Shutdowns and `kernel_info_request` are handled by the
 * socket thread.
 */
export const HANDLERS: ReadonlyMap<string, Handler> = new Map([
  ["execute_request", execute],
  ["complete_request", complete],
  ["inspect_request", inspect],
  ["is_complete_request", isComplete],
  ["history_request", history],
  ["comm_info_request", commInfo],
  ["comm_open", commOpen],
  ["comm_msg", commIgnored],
  ["comm_close", commIgnored],
]);

/**
 * The handlers of the control channel, which run while a cell waits. What the socket thread handles is
 * handled also while a cell computes.
 */
export const CONTROL_HANDLERS: ReadonlyMap<string, Handler> = new Map([
  ...HANDLERS,
  ["execute_request", refuseCell],
]);

function refuseCell(): never {
  throw new Error(
    "Running the cell failed: the control channel does not run cells; send them on the shell channel",
  );
}
