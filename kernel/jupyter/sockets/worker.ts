/** The program of the thread that holds the sockets; a file of its own because a worker needs one. */
import { serveTransport } from "../../transport/mod.ts";
import { createSocketHooks } from "./socket-hooks.ts";

serveTransport(createSocketHooks);
