import type { HeaderList } from "../exchange/mod.ts";
import type { createSender } from "../http/mod.ts";
import type { ClientOptions } from "./client-options.ts";
import type { ClientSession } from "./client-session.ts";

/** What the members of a client work with: the session that it shares, and its own defaults. */
export interface ClientContext {
  readonly session: ClientSession;
  readonly options: ClientOptions;
  readonly defaultHeaders: HeaderList;
  readonly send: ReturnType<typeof createSender>["send"];
}
