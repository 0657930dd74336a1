import { execFile, spawn } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";
import { expect } from "vitest";
import { type Ended, RUNTIMES, restlab } from "../support/command.ts";
import { makeFolder } from "../support/folders.ts";
import { endWithTests } from "../support/processes.ts";

/** A command of a page, with the output and the exit status that the page shows. */
interface PageCommand {
  readonly command: string;
  /** Empty if the page does not show it. */
  readonly output: readonly string[];
  readonly status: number;
}

const FILE = /`(?<name>[\w./-]+)`:\n\n```\w+\n(?<text>.*?)^```$/gms;
const CONSOLE = /^```console\n(.*?)^```$/gms;

/**
 * Runs the commands of the `console` blocks of a page in order, in a folder with the files that the page shows: a
 * block below a paragraph that ends with the name of a file. Expects the output as far as the page shows it, where
 * `…` stands for any text, on a line of its own for any lines, and the status of a line `echo $?`, otherwise 0.
 */
export async function runPageCommands(path: string): Promise<void> {
  const page = readFileSync(path, "utf8");
  const folder = makeFolder("page");
  for (const { groups } of page.matchAll(FILE)) {
    const file = join(folder, groups?.["name"] ?? "");
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, groups?.["text"] ?? "");
  }
  const commands = [...page.matchAll(CONSOLE)].flatMap(([, block = ""]) => readCommands(block));
  expect(commands.length).toBeGreaterThan(0);
  for (const { command, output, status } of commands) {
    const ended = await runInShell(command, folder);
    const shown = ended.output.trimEnd();
    expect(ended.status, `${command}\n${shown}`).toBe(status);
    if (output.length > 0) expect(shown, command).toMatch(toPattern(output));
  }
}

function readCommands(block: string): readonly PageCommand[] {
  const commands: PageCommand[] = [];
  for (const part of block.split(/^\$ /m).slice(1)) {
    const [command = "", ...output] = part.trimEnd().split("\n");
    const last = commands.at(-1);
    if (command === "echo $?" && last !== undefined) {
      commands.splice(-1, 1, { ...last, status: Number(output[0]) });
    } else {
      commands.push({ command, output, status: 0 });
    }
  }
  return commands;
}

/** A pattern for what may differ: `…`, times, ports, and the widths of columns. */
function toPattern(lines: readonly string[]): RegExp {
  const texts = lines.map((line) => {
    if (line === "…") return "[\\s\\S]*";
    return line
      .trimEnd()
      .replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")
      .replace(/\d+(?:\\\.\d+)?(?= m?s\b)/g, "\\d+(?:\\.\\d+)?")
      .replace(/─+/g, "─+")
      .replace(/(?<=\S) +(?=\S)|^ {3,}/g, " +")
      .replaceAll("…", ".*");
  });
  return new RegExp(`^${texts.join(" *\n")} *$`);
}

/** Characters with which a line is more than one command and its arguments. */
const OF_SHELLS = /[|<>;&$`*\n]/;

/** Runs a line of a shell in which `restlab` is a command. */
export async function runInShell(
  line: string,
  cwd: string,
): Promise<Pick<Ended, "output" | "status">> {
  if (line.startsWith("restlab ") && !OF_SHELLS.test(line)) {
    // The shell splits the line into arguments.
    const { stdout } = await promisify(execFile)("sh", ["-c", `printf '%s\\0' ${line}`]);
    return restlab("node", stdout.split("\0").slice(1, -1), { cwd });
  }
  const bin = join(cwd, ".bin");
  const program = join(bin, "restlab");
  mkdirSync(bin, { recursive: true });
  writeFileSync(program, `#!/bin/sh\nexec ${RUNTIMES.node.join(" ")} "$@"\n`);
  chmodSync(program, 0o755);
  const env = { ...process.env, NO_COLOR: "1", PATH: `${bin}${delimiter}${process.env["PATH"]}` };
  const child = endWithTests(
    spawn("sh", ["-c", `{ ${line}\n} 2>&1`], { cwd, env, stdio: ["ignore", "pipe", "ignore"] }),
  );
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    output += text;
  });
  const status = await new Promise<number | null>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", resolve);
  });
  return { output, status };
}
