import type { Handler } from "../kernel/mod.ts";

/** There are no comms in this kernel: cells show values, and widgets are Python's. */
export const commInfo: Handler = () => ({ status: "ok", comms: {} });

/**
 * Nobody here answers to any target.
 *
 * @see https://jupyter-client.readthedocs.io/en/latest/messaging.html#opening-a-comm
 */
export const commOpen: Handler = ({ request }, { channels }) => {
  const id = request.content["comm_id"];
  if (typeof id === "string") channels.publish("comm_close", { comm_id: id, data: {} }, request);
  return undefined;
};

/** A message to a comm that does not exist, which its `comm_close` is on its way to say. */
export const commIgnored: Handler = () => undefined;
