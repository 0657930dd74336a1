/**
 * The worker's program where no hooks are wanted. A front end with hooks brings its own file.
 */
import { serveTransport } from "./serve-transport.ts";

serveTransport();
