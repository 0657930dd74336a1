import type { Handler } from "../kernel/mod.ts";

/** This kernel has no comms: widgets are a feature of Python kernels. */
export const commInfo: Handler = () => ({ status: "ok", comms: {} });

/**
 * Refuses a comm, since no target is registered.
 *
 * @see https://jupyter-client.readthedocs.io/en/latest/messaging.html#opening-a-comm
 */
export const commOpen: Handler = ({ request }, { channels }) => {
  const id = request.content["comm_id"];
  if (typeof id === "string") channels.publish("comm_close", { comm_id: id, data: {} }, request);
  return undefined;
};

/** Ignores a message to a comm, whose `comm_open` was refused. */
export const commIgnored: Handler = () => undefined;
