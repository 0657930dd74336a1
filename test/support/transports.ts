import { createConnect } from "../../kernel/platform/mod.ts";
import * as lib from "../../lib/mod.ts";

/** The transports of Node, each with a library whose clients use it. */
export const TRANSPORTS: readonly (readonly [name: string, library: typeof lib])[] = [
  ["fetch", lib],
  [
    "node:http",
    {
      ...lib,
      createClient: (options) => lib.createClient({ connect: createConnect({}), ...options }),
    },
  ],
];
