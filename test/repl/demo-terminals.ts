import { afterAll, afterEach, beforeAll } from "vitest";
import { startDemo } from "../../kernel/demo/mod.ts";
import type { RuntimeName } from "../support/command.ts";
import {
  endTerminals,
  openRestlab,
  removeFolders,
  type TerminalOptions,
  type TerminalSession,
} from "./terminal.ts";

/** The embedded API, and prompts in terminals that know it as `base`. */
export interface DemoTerminals {
  /** Where the API is; known once the tests run. */
  url(): string;
  open(options?: TerminalOptions): TerminalSession;
}

/** Gives the tests of a `describe` the embedded API, and takes away what they leave behind. */
export function useDemoTerminals(runtime: RuntimeName): DemoTerminals {
  let demo: Awaited<ReturnType<typeof startDemo>>;
  beforeAll(async () => {
    demo = await startDemo({ port: 0 });
  });
  afterEach(endTerminals);
  afterAll(async () => {
    await demo.close();
    removeFolders();
  });
  return {
    url: () => demo.url,
    open: (options = {}) => openRestlab(runtime, ["--var", `base=${demo.url}`], options),
  };
}
