import { sendOnNode } from "../../kernel/platform/connection/node-send.ts";
import * as lib from "../../lib/mod.ts";

/** The ways in which requests leave on Node, each with a library whose clients take it. */
export const WAYS: readonly (readonly [name: string, library: typeof lib])[] = [
  ["fetch", lib],
  [
    "its HTTP client",
    { ...lib, createClient: (options) => lib.createClient({ dispatch: sendOnNode, ...options }) },
  ],
];
