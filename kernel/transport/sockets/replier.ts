import { bindRoutingSocket } from "./router.ts";
import type { Replier, Router, SocketOptions } from "./socket.ts";

/** What a replier is bound with. */
export interface ReplierOptions extends SocketOptions {
  /** Request body → reply body; the same frames by default, as a heartbeat answers. */
  readonly reply?: (body: readonly Uint8Array[]) => readonly Uint8Array[];
}

/**
 * Binds a REP that answers each request at once. The envelope of a request (frames up to the first
 * empty one) comes back as it was. A request without an envelope, which some DEALER clients send as
 * a heartbeat, is answered without one as ipykernel does; libzmq's REP would drop it.
 *
 * @throws EndpointError where the endpoint cannot be bound.
 */
export async function bindReplier(options: ReplierOptions): Promise<Replier> {
  const reply = options.reply ?? ((body) => body);
  const router: Router = await bindRoutingSocket(
    {
      ...options,
      receive({ identity, frames }) {
        const bodyStart = frames.findIndex((frame) => frame.length === 0) + 1;
        const envelope = frames.slice(0, bodyStart);
        router.send(identity, [...envelope, ...reply(frames.slice(bodyStart))]);
      },
    },
    { type: "REP", peers: ["REQ", "DEALER"] },
  );
  return router;
}
