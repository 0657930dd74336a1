import { createSocketHooks } from "./socket-hooks.ts";
import { serveTransport } from "./zmtp/mod.ts";

/** The program of the socket thread. */

serveTransport(createSocketHooks);
