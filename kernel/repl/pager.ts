import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Screens, type Terminal } from "./editor/mod.ts";

interface Pager {
  page(text: string): Promise<void>;
}

interface PagerOptions {
  readonly terminal: Terminal;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** The options of `less` unless the user sets others: quit if one screen, keep colours, no clearing. */
const LESS = "FRX";

/** Creates a pager: `$PAGER` if it is set, else a simple one. An empty `$PAGER` or `cat` turns paging off. */
export function createPager({ terminal, environment }: PagerOptions): Pager {
  const { PAGER } = environment;
  return {
    page: async (text) => {
      const screens = new Screens(text, terminal);
      if (screens.fits || PAGER === "" || PAGER === "cat") return terminal.write(text);
      const isShown = PAGER !== undefined && (await runPager(PAGER, text, environment));
      if (!isShown) await screens.show();
    },
  };
}

/** @returns Whether the pager could be run. */
async function runPager(
  command: string,
  text: string,
  environment: PagerOptions["environment"],
): Promise<boolean> {
  const child = spawn(command, {
    shell: true,
    stdio: ["pipe", "inherit", "inherit"],
    env: { ...environment, LESS: environment["LESS"] ?? LESS },
  });
  // A pager that is left early closes its input.
  child.stdin.on("error", () => undefined);
  child.stdin.end(text);
  return await new Promise((resolve) => {
    child.on("error", () => resolve(false));
    // The statuses of a shell that cannot run the command.
    child.on("close", (status) => resolve(status !== 126 && status !== 127));
  });
}

/**
 * Opens a text in `$VISUAL` or `$EDITOR`, in a temporary file that only the user can read and that is
 * removed afterwards.
 *
 * @param extension Selects the language in the editor, for example `http`.
 * @returns The saved text.
 * @throws {Error} The editor cannot be run, or exits with a failure.
 */
export async function editExternally(
  text: string,
  extension: string,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<string> {
  const editor = environment["VISUAL"] || environment["EDITOR"] || "vi";
  const folder = await mkdtemp(join(tmpdir(), "restlab-"));
  const path = join(folder, `entry.${extension}`);
  try {
    await writeFile(path, text === "" ? "" : `${text}\n`, { mode: 0o600 });
    const status = await run(editor, path);
    if (status !== 0) {
      throw new Error(
        `Editing failed: "${editor}" ${status === undefined ? "cannot be run" : `ended with status ${status}`}; $EDITOR names the editor`,
      );
    }
    return await readFile(path, "utf8");
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** By a shell, since $EDITOR may contain arguments and quotes. */
async function run(editor: string, path: string): Promise<number | undefined> {
  const child = spawn(`${editor} "${path}"`, { shell: true, stdio: "inherit" });
  return await new Promise((resolve) => {
    child.on("error", () => resolve(undefined));
    child.on("close", (status) =>
      resolve(status === 127 || status === 126 ? undefined : (status ?? 1)),
    );
  });
}
