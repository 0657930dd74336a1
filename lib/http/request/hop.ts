import type { HeaderList } from "../../exchange/mod.ts";
import type { SendableBody } from "./prepare.ts";

/** One request on the way: the first one, or what a redirect made of it. */
export interface Hop {
  readonly method: string;
  readonly url: URL;
  readonly headers: HeaderList;
  readonly body: SendableBody | undefined;
  /** What stood in the URL as its credentials, as a header; it is for the origin of that URL. */
  readonly authorization?: string;
}
