import { readdir, stat, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { resolve } from "node:path";
import { type Client, renderJson } from "../../lib/mod.ts";
import { writingReason } from "../platform/mod.ts";
import { kindOfCell } from "../session/mod.ts";
import { lastOf } from "./requests.ts";
import { type Choice, type Command, CommandError, type Shell } from "./shell.ts";
import { isSecret } from "./variables.ts";

const DOCUMENT = /\.(?:http|rest|ipynb)$/i;

export const FILE_COMMANDS: readonly Command[] = [
  {
    name: "save",
    usage: "[--force] FILE",
    summary: "save the body of the last answer to a file",
    examples: [[".save answer.json"], [".save --force answer.json", "overwrites it"]],
    complete: ({ word, directory }) => completePath(word, directory),
    run: async (argument, shell) => {
      const { bytes } = lastOf(shell.client);
      const path = await write(argument, () => bytes, shell);
      shell.print(`Saved ${bytes.length} bytes to ${path}`);
    },
  },
  {
    name: "edit",
    usage: "",
    summary: "edit the last entry in $EDITOR; it returns to the prompt",
    examples: [[".edit", "$VISUAL or $EDITOR, else vi"]],
    run: async (_argument, { lastCell, openEditor, prefill }) => {
      prefill((await asCommandError(openEditor(lastCell()?.source.trimEnd() ?? ""))).trimEnd());
    },
  },
  {
    name: "load",
    usage: "FILE",
    summary: "run the cells of a .http or .ipynb file in this session, until one fails",
    examples: [[".load requests.http"]],
    complete: ({ word, directory }) => completePath(word, directory, DOCUMENT),
    run: async (argument, shell) => {
      if (argument === "") throw new CommandError("Loading failed: name a .http or .ipynb file");
      const entries = await asCommandError(
        shell.documents.read(pathOf(argument, shell), shell.platform),
      );
      for (const [index, { text, line }] of entries.entries()) {
        const where = line === undefined ? `cell ${index + 1}` : `line ${line}`;
        shell.print(`${argument}, ${where}: ${firstLine(text)}`);
        if (await shell.run(kindOfCell(text, line !== undefined))) continue;
        const rest = entries.length - index - 1;
        throw new CommandError(
          `Loading "${argument}" stopped at ${where}: ${rest === 0 ? "it was the last one" : `${rest} more were not run`}`,
        );
      }
      if (entries.length === 0) shell.print(`${argument} has nothing to run`);
    },
  },
  {
    name: "import",
    usage: "[OPTIONS] SOURCE...",
    summary: "write documents for those of OpenAPI, Postman, HAR, curl and others",
    examples: [
      [".import requests.http -o requests.ipynb", "restlab import --help lists the options"],
    ],
    complete: ({ word, directory }) => completePath(word, directory),
    run: async (argument, { platform, print }) => {
      const report = platform.importDocuments?.(argument, platform.directory);
      for (const line of await asCommandError(report ?? Promise.resolve([]))) print(line);
    },
  },
  {
    name: "write",
    usage: "[--force] FILE",
    summary: "write what was run in this session to a .ipynb or .http file that can be run",
    examples: [[".write session.ipynb"], [".write --force session.http", "only the requests"]],
    complete: ({ word, directory }) => completePath(word, directory, DOCUMENT),
    run: async (argument, shell) => {
      const { journal, client } = shell;
      const isHttp = /\.(?:http|rest)$/i.test(argument);
      const compose = async (): Promise<ReturnType<typeof journal.toHttp>> =>
        isHttp
          ? journal.toHttp(client, (name) => isSecret(name, client) || hasSecretValue(name, client))
          : journal.toNotebook(client);
      const { entries, remarks: given } = await asCommandError(compose());
      const remarks = [...given];
      const masked = entries.map((entry) => client.secrets.mask(entry));
      if (masked.some((entry, at) => entry !== entries[at])) {
        remarks.push("placeholders replace the values of secrets: run it with --var");
      }
      if (entries.length === 0) {
        throw new CommandError(
          "Writing failed: nothing that such a file can contain has been run yet",
        );
      }
      const render = async (path: string): Promise<string> =>
        await asCommandError(shell.documents.render(path, masked));
      const path = await write(argument, render, shell);
      shell.print(
        `${entries.length} ${entries.length === 1 ? "cell" : "cells"} written to ${path}`,
      );
      for (const remark of remarks) shell.print(`Note: ${remark}`);
    },
  },
];

function hasSecretValue(name: string, { secrets, getVar }: Client): boolean {
  const text = renderJson(getVar(name) ?? null);
  return secrets.mask(text) !== text;
}

/** Shows an error of a file or an editor by its message alone. */
async function asCommandError<T>(task: Promise<T>): Promise<T> {
  try {
    return await task;
  } catch (error) {
    throw error instanceof Error ? new CommandError(error.message) : error;
  }
}

async function write(
  argument: string,
  contentOf: (path: string) => Promise<string> | Uint8Array,
  shell: Shell,
): Promise<string> {
  const [, force, name] = /^(--force(?:\s+|$))?(\S.*)?$/.exec(argument) ?? [];
  if (name === undefined) throw new CommandError("Writing failed: no file is named");
  const [option] = /^-\S*/.exec(name) ?? [];
  if (option !== undefined) {
    throw new CommandError(
      `Writing failed: "${option}" is not an option, the only one is --force; for a file of that name write "./${name}"`,
    );
  }
  const path = pathOf(name, shell);
  const content = await contentOf(path);
  try {
    await writeFile(path, content, { flag: force === undefined ? "wx" : "w" });
  } catch (error) {
    const isFolder = await stat(path).then(
      (found) => found.isDirectory(),
      () => false, // The error of writing says more.
    );
    throw new CommandError(
      `Writing "${name}" failed: ${isFolder ? "it is a folder" : reasonOf(error)}`,
    );
  }
  return name;
}

/** The person may mean to overwrite; other reasons are those of any file. */
function reasonOf(error: unknown): string {
  const exists = (error as NodeJS.ErrnoException).code === "EEXIST";
  return exists ? "the file exists; --force overwrites it" : writingReason(error);
}

function pathOf(name: string, { platform }: Shell): string {
  return resolvePath(name.replace(/^(["'])(.*)\1$/, "$2"), platform.directory);
}

function firstLine(text: string): string {
  const lines = text.split("\n").map((line) => line.trim());
  return lines.find((line) => line !== "" && !/^(?:#|\/\/)/.test(line)) ?? "";
}

/** Resolves a path as a shell does: `~/` is the home folder. */
function resolvePath(path: string, directory: string): string {
  return resolve(directory, path.replace(/^~(?=\/|$)/, homedir));
}

/**
 * The files and folders whose paths begin with what was typed; none if the folder cannot be read.
 *
 * @param directory The working folder.
 * @param wanted Matches the names of files that are candidates; folders always are.
 */
async function completePath(
  typed: string,
  directory: string,
  wanted: RegExp = /(?:)/,
): Promise<readonly Choice[]> {
  const [, folder = "", name = ""] = /^(.*\/)?([^/]*)$/.exec(typed) ?? [];
  const entries = await readdir(resolvePath(folder, directory), { withFileTypes: true }).catch(
    () => [], // The command reports a path that does not exist.
  );
  return entries
    .filter((entry) => entry.name.startsWith(name) && !/\s/.test(entry.name))
    .filter((entry) => name.startsWith(".") || !entry.name.startsWith("."))
    .flatMap((entry) => {
      if (entry.isDirectory()) return [{ text: `${folder}${entry.name}/`, detail: "folder" }];
      return wanted.test(entry.name) ? [{ text: `${folder}${entry.name}`, detail: "file" }] : [];
    })
    .sort((one, other) => (one.text < other.text ? -1 : 1));
}
