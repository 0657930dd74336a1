#!/usr/bin/env node
import { type Command, parseArguments } from "./arguments.ts";
import { currentPlatform, type Platform } from "./platform/mod.ts";

/** Each command loads its own part alone, so that `--help` and a wrong flag answer at once. */
const COMMANDS: {
  readonly [K in Command["kind"]]: (
    command: Extract<Command, { kind: K }>,
    platform: Platform,
  ) => Promise<number>;
} = {
  text: async ({ text, status }, { stdout, stderr }) => {
    (status === 0 ? stdout : stderr).write(`${text}\n`);
    return status;
  },
  version: async (_command, { stdout }) => {
    const { client } = await import("../lib/mod.ts");
    stdout.write(`${client.version}\n`);
    return 0;
  },
  run: async ({ options, interactive }, platform) => {
    const { runCommand } = await import("./notebook/mod.ts");
    if (!interactive || !platform.stdinIsTerminal || !platform.stdout.isTerminal) {
      return await runCommand(options, platform);
    }
    const { prompt } = await import("./repl/mod.ts");
    return await runCommand(
      { ...options, interact: (session) => prompt(session, platform) },
      platform,
    );
  },
  repl: async (_command, platform) => {
    const { replCommand } = await import("./repl/mod.ts");
    return await replCommand(platform);
  },
  demo: async ({ port, host }, platform) => {
    const { demoCommand } = await import("./demo-command.ts");
    return await demoCommand({ port, host }, platform);
  },
};

const platform = currentPlatform();
const command = parseArguments(platform.arguments);
const run = COMMANDS[command.kind] as (command: Command, platform: Platform) => Promise<number>;
await platform.exit(await run(command, platform));
