import type { HeaderList } from "../../exchange/mod.ts";
import type { SendableBody } from "./prepare.ts";

/** One request of a redirect chain. */
export interface Hop {
  readonly method: string;
  readonly url: URL;
  readonly headers: HeaderList;
  readonly body: SendableBody | undefined;
  /** The credentials of the URL as a header, for the origin of that URL only. */
  readonly authorization?: string;
}
