import { fetchByNode } from "../../kernel/platform/node-fetch.ts";
import * as lib from "../../lib/mod.ts";

/** The transports of Node, each with a library whose clients use it. */
export const TRANSPORTS: readonly (readonly [name: string, library: typeof lib])[] = [
  ["fetch", lib],
  [
    "its HTTP client",
    {
      ...lib,
      createClient: (options) => lib.createClient({ platformFetch: () => fetchByNode, ...options }),
    },
  ],
];
