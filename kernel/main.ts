#!/usr/bin/env -S deno run -A
import { resolve } from "node:path";
import process from "node:process";
import type { Command } from "./cli/mod.ts";
import type { Platform } from "./platform/mod.ts";
import type { Documents } from "./repl/mod.ts";

// The tasks of deno.json start this file by the line above: `deno` in a task is the npm package, where it is
// installed. The built file names Node.

type Kind = Exclude<Command["kind"], "text" | "kernel">;

/** Each command loads only its own modules, so that usage errors are fast. */
const COMMANDS: {
  readonly [K in Kind]: (
    command: Extract<Command, { kind: K }>,
    platform: Platform,
  ) => Promise<number>;
} = {
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
    const { runCommand: run } = await import("./run/run-command.ts");
    const { stdinIsTerminal, stdout, stderr } = platform;
    const opensPrompt = interactive && stdinIsTerminal && stdout.isTerminal;
    // A person has to see the question and be able to answer.
    if (!opensPrompt && !(stdinIsTerminal && stderr.isTerminal)) {
      return await run(options, platform);
    }
    const { createAsker, prompt } = await import("./repl/open-prompt.ts");
    const asker = createAsker(platform, opensPrompt ? stdout : stderr);
    if (!opensPrompt) return await run({ ...options, ask: asker.ask }, platform);
    const { timeout } = options;
    return await run(
      {
        ...options,
        ask: asker.ask,
        interact: (opened, breaker) =>
          prompt(Promise.resolve(opened), platform, { documents, asker, breaker, timeout }),
      },
      platform,
    );
  },
  test: async ({ options }, platform) => {
    const { testCommand } = await import("./run/test-command.ts");
    return await testCommand(options, platform);
  },
  verify: async ({ options }, platform) => {
    const { verifyCommand } = await import("./run/verify-command.ts");
    return await verifyCommand(options, platform);
  },
  check: async ({ options }, platform) => {
    const { checkCommand } = await import("./run/check-command.ts");
    return await checkCommand(options, platform);
  },
  secrets: async ({ options }, platform) => {
    const { secretsCommand } = await import("./run/secrets-command.ts");
    return await secretsCommand(options, platform);
  },
  import: async ({ options }, platform) => {
    const { importCommand } = await import("./import/import-command.ts");
    return await importCommand(options, platform);
  },
  repl: async ({ options }, platform) => {
    const { replCommand } = await import("./repl/command.ts");
    return await replCommand(options, platform, documents);
  },
  demo: async ({ port, host }, platform) => {
    const { demoCommand } = await import("./demo/serve.ts");
    return await demoCommand({ port, host }, platform);
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
const documents: Documents = {
  read: async (path, platform) =>
    (await import("./run/read-document.ts")).readEntries(path, platform),
  render: async (path, entries) =>
    (await import("./run/render-document.ts")).renderEntries(path, entries),
};

/** Imports for the prompt and for cells, neither of which has a standard input of its own. */
async function importDocuments(line: string, platform: Platform): Promise<readonly string[]> {
  const { parseArguments } = await import("./cli/mod.ts");
  const words = line.match(/"[^"]*"|'[^']*'|\S+/g) ?? [];
  const bare = words.map((word) => word.replace(/^(["'])(.*)\1$/, "$2"));
  const parsed = parseArguments(["import", ...bare]);
  if (parsed.kind === "text") return parsed.text.split("\n");
  if (parsed.kind !== "import" || parsed.options.sources.includes("-")) {
    const reason =
      parsed.kind === "usage-error" ? parsed.message : "only a command has standard input";
    throw new Error(`Importing failed: ${reason}`);
  }
  const { runImport } = await import("./import/import-command.ts");
  return (await runImport(parsed.options, platform)).text;
}

/** Jupyter waits for a kernel: as Jupyter writes it, this command needs nothing that reads the others. */
async function readCommand(words: readonly string[]): Promise<Command> {
  const [name, option, file = "", ...more] = words;
  if (name === "kernel" && option === "--connection-file" && /^[^-]/.test(file) && !more.length) {
    return { kind: "kernel", connectionFile: file };
  }
  const { parseArguments } = await import("./cli/mod.ts");
  return parseArguments(words);
}

async function runCommand(words: readonly string[]): Promise<void> {
  const command = await readCommand(words);
  // `--help` does not need the platform, whose modules load many of the runtime.
  if (command.kind === "text") {
    console.log(command.text);
    return;
  }
  if (command.kind === "kernel") {
    const { kernelCommand } = await import("./jupyter/kernel-command.ts");
    await kernelCommand(command.connectionFile, loadPlatform);
    return;
  }
  const platform = await loadPlatform();
  const run = COMMANDS[command.kind] as (command: Command, platform: Platform) => Promise<number>;
  await platform.exit(await run(command, platform));
}

async function loadPlatform(): Promise<Platform> {
  const [{ currentPlatform, isAsciiLocale }, { keepCompiledCode }] = await Promise.all([
    import("./platform/platform.ts"),
    import("./platform/code-cache.ts"),
  ]);
  const current = currentPlatform();
  const platform = isAsciiLocale(current)
    ? (await import("./terminal/ascii.ts")).withAsciiOutput(current)
    : current;
  keepCompiledCode(platform.environment);
  return {
    ...platform,
    importDocuments: async (line, directory) =>
      await importDocuments(line, {
        ...platform,
        directory,
        readFile: (path, options) => platform.readFile(resolve(directory, path), options),
      }),
  };
}

/** The end of the command. It is not awaited here: on Deno and Bun a module that waits ends when nothing else does. */
export const ended: Promise<void> = runCommand(process.argv.slice(2));
