import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Screens, type Terminal } from "./editor/mod.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** The options of `less` unless the user sets others: quit if one screen, keep colours, no clearing. */
const LESS = "FRX";

/**
 * Shows a text that may be longer than the screen: by `$PAGER` if it is set, else by a simple pager. An empty `$PAGER`
 * or `cat` turns paging off.
 */
export async function page(
  text: string,
  terminal: Terminal,
  environment: Environment,
): Promise<void> {
  const { PAGER } = environment;
  const screens = new Screens(text, terminal);
  if (screens.fits || PAGER === "" || PAGER === "cat") return terminal.write(text);
  const env = { ...environment, LESS: environment["LESS"] ?? LESS };
  const isShown = PAGER !== undefined && (await runByShell(PAGER, env, text)) !== undefined;
  if (!isShown) await screens.show();
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
  environment: Environment,
): Promise<string> {
  const editor = environment["VISUAL"] || environment["EDITOR"] || "vi";
  const folder = await mkdtemp(join(tmpdir(), "restlab-"));
  const path = join(folder, `entry.${extension}`);
  try {
    await writeFile(path, text === "" ? "" : `${text}\n`, { mode: 0o600 });
    // $EDITOR may contain arguments and quotes.
    const status = await runByShell(`${editor} "${path}"`, environment);
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

/**
 * Runs a command line that uses the terminal.
 *
 * @param input What its standard input is, in place of the terminal.
 * @returns Its exit status; nothing if it could not be run.
 */
async function runByShell(
  command: string,
  env: Environment,
  input?: string,
): Promise<number | undefined> {
  const stdin = input === undefined ? "inherit" : "pipe";
  const child = spawn(command, { shell: true, stdio: [stdin, "inherit", "inherit"], env });
  // A pager that is left early closes its input.
  child.stdin?.on("error", () => undefined);
  child.stdin?.end(input);
  return await new Promise((resolve) => {
    child.on("error", () => resolve(undefined));
    // The statuses of a shell that cannot run the command.
    child.on("close", (status) =>
      resolve(status === 126 || status === 127 ? undefined : (status ?? 1)),
    );
  });
}
