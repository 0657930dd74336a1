/** The program of the socket thread. */
import { serveTransport } from "../../transport/mod.ts";
import { createSocketHooks } from "./socket-hooks.ts";

serveTransport(createSocketHooks);
