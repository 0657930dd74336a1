import { fetchByNode } from "../../kernel/platform/connection/node-fetch.ts";
import * as lib from "../../lib/mod.ts";

/** The ways in which requests leave on Node, each with a library whose clients take it. */
export const WAYS: readonly (readonly [name: string, library: typeof lib])[] = [
  ["fetch", lib],
  [
    "its HTTP client",
    {
      ...lib,
      createClient: (options) => lib.createClient({ platformFetch: () => fetchByNode, ...options }),
    },
  ],
];
