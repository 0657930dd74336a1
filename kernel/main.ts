#!/usr/bin/env -S deno run -A
import { type Command, parseArguments } from "./cli/mod.ts";
import { currentPlatform, keepCompiledCode, type Platform } from "./platform/mod.ts";
import type { Documents } from "./repl/mod.ts";

// The tasks of deno.json start this file by the line above: `deno` in a task is the npm package, where it is
// installed. The built file names Node.

/** Each command loads only its own modules, so that `--help` and usage errors are fast. */
const COMMANDS: {
  readonly [K in Command["kind"]]: (
    command: Extract<Command, { kind: K }>,
    platform: Platform,
  ) => Promise<number>;
} = {
  text: async ({ text }, { stdout }) => {
    stdout.write(`${text}\n`);
    return 0;
  },
  "usage-error": async ({ message, advice }, { stderr }) => {
    const { toVisibleLine } = await import("../lib/display/visible.ts");
    stderr.write(`restlab: ${toVisibleLine(message)}\n${advice}\n`);
    return 2;
  },
  version: async (_command, { stdout }) => {
    const { client } = await import("../lib/mod.ts");
    stdout.write(`${client.version}\n`);
    return 0;
  },
  run: async ({ options, interactive }, platform) => {
    const { runCommand } = await import("./run/run-command.ts");
    if (!interactive || !platform.stdinIsTerminal || !platform.stdout.isTerminal) {
      return await runCommand(options, platform);
    }
    const { createAsker, prompt } = await import("./repl/open-prompt.ts");
    const asker = createAsker(platform, platform.stdout);
    const documents = documentsOf(platform);
    return await runCommand(
      {
        ...options,
        ask: asker.ask,
        interact: (opened, breaker) => {
          const { timeout } = options;
          return prompt(Promise.resolve(opened), platform, { documents, asker, breaker, timeout });
        },
      },
      platform,
    );
  },
  test: async ({ options }, platform) => {
    const { testCommand } = await import("./run/test-command.ts");
    return await testCommand(options, platform);
  },
  repl: async ({ options }, platform) => {
    const { replCommand } = await import("./repl/command.ts");
    return await replCommand(options, platform, {
      documents: documentsOf(platform),
      startDemo: async ({ now }) => {
        const { startDemo } = await import("./demo/serve.ts");
        return await startDemo({ port: 0, ...(now === undefined ? {} : { now }) });
      },
    });
  },
  check: async ({ options }, platform) => {
    const { checkCommand } = await import("./run/check-command.ts");
    const { findDocuments } = await import("./run/find-documents.ts");
    const files = await findDocuments(options.files);
    return await checkCommand({ ...options, files }, platform, documentsOf(platform).read);
  },
  verify: async ({ options }, platform) => {
    const { verifyCommand } = await import("./run/verify-command.ts");
    return await verifyCommand(options, platform);
  },
  demo: async ({ port, host }, platform) => {
    const { demoCommand } = await import("./demo/serve.ts");
    return await demoCommand({ port, host }, platform);
  },
  kernel: async ({ connectionFile }, platform) => {
    const { kernelCommand } = await import("./jupyter/kernel-command.ts");
    return await kernelCommand(connectionFile, platform);
  },
  install: async ({ options }, platform) => {
    const { installCommand } = await import("./jupyter/install/commands.ts");
    return await installCommand(options, platform);
  },
  uninstall: async ({ options }, platform) => {
    const { uninstallCommand } = await import("./jupyter/install/commands.ts");
    return await uninstallCommand(options, platform);
  },
};

/** Front ends do not import each other, so the prompt gets the access to documents from here. */
function documentsOf(platform: Platform): Documents {
  return {
    read: async (path) => (await import("./run/entries.ts")).readEntries(path, platform),
    render: async (path, entries) =>
      (await import("./run/entries.ts")).renderEntries(path, entries),
  };
}

const platform = currentPlatform();
keepCompiledCode(platform.environment);
const command = parseArguments(platform.arguments);
const run = COMMANDS[command.kind] as (command: Command, platform: Platform) => Promise<number>;
await platform.exit(await run(command, platform));
