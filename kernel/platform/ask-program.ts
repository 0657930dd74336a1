import { execFile } from "node:child_process";
import { accessSync, constants, statSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";
import process from "node:process";
import { clearTimeout, setTimeout } from "node:timers";
import { stripVTControlCharacters } from "node:util";

/** How long a program may take, in milliseconds, and when a person is told that it is waited for. */
const TIME_LIMIT = 60_000;
const SILENCE = 2_000;
/** How much it may print, in bytes. */
const SIZE_LIMIT = 64 * 1024;

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Finds a program as a shell does, but not where a repository could have put one: neither in relative folders nor among
 * the packages of a project.
 *
 * @returns Its absolute path; nothing if it is not installed.
 */
export function findProgram(name: string, { PATH, Path }: Environment): string | undefined {
  const suffix = process.platform === "win32" ? ".exe" : "";
  const folders = (PATH ?? Path ?? "")
    .split(delimiter)
    .filter((folder) => isAbsolute(folder) && !/node_modules[\\/]\.bin[\\/]?$/.test(folder));
  const paths = isAbsolute(name) ? [name] : folders.map((folder) => join(folder, name + suffix));
  return /[\\/]/.test(name) && !isAbsolute(name) ? undefined : paths.find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** How a program is run. */
interface Asking {
  /** The working folder. */
  readonly directory: string;
  readonly environment: Environment;
  readonly signal: AbortSignal | undefined;
  /** Called if it takes more than two seconds. */
  readonly onWaiting: () => void;
}

/**
 * Runs a program without a shell and without input.
 *
 * @param path Its absolute path.
 * @returns What it prints, as it is.
 * @throws {ProgramError} It cannot be started, fails, takes too long, or prints too much or no text.
 */
export function askProgram(
  path: string,
  given: readonly string[],
  { directory, environment, signal, onWaiting }: Asking,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const waiting = setTimeout(onWaiting, SILENCE);
    const options = {
      cwd: directory,
      env: environment,
      encoding: "buffer",
      timeout: TIME_LIMIT,
      maxBuffer: SIZE_LIMIT,
      windowsHide: true,
      ...(signal && { signal }),
    } as const;
    const child = execFile(path, [...given], options, (error, printed, messages) => {
      clearTimeout(waiting);
      if (error !== null) return reject(explain(error, messages.toString("utf8")));
      try {
        resolve(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(printed));
      } catch {
        reject(new ProgramError("printed what is no text"));
      }
    });
    child.stdin?.on("error", () => undefined).end();
  });
}

/** Why a program failed, with the last line of its messages. */
function explain(error: Error, messages: string): Error {
  const { code, killed, signal, name } = error as Error & {
    readonly code?: unknown;
    readonly killed?: boolean;
    readonly signal?: string;
  };
  if (name === "AbortError") return error;
  if (code === "ERR_CHILD_PROCESS_STDIO_MAXBUFFER") {
    return new ProgramError(`printed more than ${SIZE_LIMIT / 1024} KiB`);
  }
  if (killed === true) return new ProgramError(`did not answer within ${TIME_LIMIT / 1000} s`);
  if (typeof code === "string") return new ProgramError(`cannot be started: ${error.message}`);
  const line =
    stripVTControlCharacters(messages)
      .trim()
      .split(/[\r\n]+/)
      .at(-1) ?? "";
  const ended = typeof code === "number" ? `ended with status ${code}` : `was ended by ${signal}`;
  return new ProgramError(line === "" ? ended : `${ended}: "${line.trim()}"`, line);
}

/** A program gave no secret. */
export class ProgramError extends Error {
  override readonly name = "ProgramError";
  /** The last line that it printed as an error. */
  readonly line: string;

  /** Creates the error; its message follows the name of the program. */
  constructor(message: string, line = "") {
    super(message);
    this.line = line;
  }
}
