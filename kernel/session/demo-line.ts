import type { Client } from "../../lib/mod.ts";
import type { Cell, OutputSink } from "./cell/mod.ts";
import { runOutsideCells } from "./output/mod.ts";
import type { SessionOptions } from "./session-options.ts";

/** The embedded users API that a line `%demo` starts. It ends with the session. */
export interface DemoLine {
  /**
   * Starts the API, unless it runs, and sets `base` to its URL. Starts nothing if `base` is set to something else.
   *
   * @throws {SyntaxError} The line has a port that is not a number from 0 to 65535.
   * @throws {Error} The port is not available.
   */
  apply(line: NonNullable<Cell["demo"]>, sink: Pick<OutputSink, "stream">): Promise<void>;
  close(): Promise<void>;
}

type Demo = Awaited<ReturnType<typeof import("../demo/mod.ts").startDemo>>;

/** The name of the variable that contains the URL, as for `--demo`. */
const BASE = "base";

/** Creates the API of a session; nothing is started or loaded yet. */
export function createDemoLine(client: Client, options: Pick<SessionOptions, "now">): DemoLine {
  let running: Demo | undefined;
  let isClosed = false;
  return {
    apply: async ({ port }, sink) => {
      if (client.hasVar(BASE) && client.getVar(BASE) !== running?.url) {
        const reason = `{{${BASE}}} is set already`;
        sink.stream("stdout", `${reason}, so %demo starts nothing\n`);
        return;
      }
      // Its connections and timers belong to no cell.
      running ??= await runOutsideCells(() => start(port, options));
      if (isClosed) return await running.close();
      client.setVar(BASE, running.url);
      sink.stream("stdout", `{{${BASE}}} is ${running.url}, the URL of the demo API\n`);
    },
    close: async () => {
      isClosed = true;
      await running?.close();
    },
  };
}

async function start(
  text: string | undefined,
  { now }: Pick<SessionOptions, "now">,
): Promise<Demo> {
  const port = text === undefined ? undefined : toPort(text);
  // Loaded on demand: few sessions start it.
  const { startDemo } = await import("../demo/mod.ts");
  const clock = now === undefined ? {} : { now };
  if (port !== undefined) return await startDemo({ port, ...clock });
  try {
    return await startDemo(clock);
  } catch {
    // The usual port is in use.
    return await startDemo({ port: 0, ...clock });
  }
}

function toPort(text: string): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= 65_535) return port;
  throw new SyntaxError(
    `Cannot start the demo API on port "${text}": write %demo, or %demo with a port from 0 to 65535`,
  );
}
