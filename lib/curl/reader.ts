import type { Span } from "../interpolation/mod.ts";
import type { CurlCommand } from "./command.ts";
import type { Report } from "./words.ts";

/** A parsed command, and the start of the line after it. */
export interface ParsedCurl {
  /** `undefined` if it has faults. */
  readonly command: CurlCommand | undefined;
  readonly next: number;
}

/** Reads a command; one with faults is none. */
export function withoutFaults(onFault: Report, read: (report: Report) => ParsedCurl): ParsedCurl {
  let isFaulty = false;
  const { command, next } = read((...fault) => {
    isFaulty = true;
    onFault(...fault);
  });
  return { command: isFaulty ? undefined : command, next };
}

/** Where a command begins, after a prompt of a shell. */
export function commandStart(source: string, start: number): number {
  return start + (/^\s*(?:\$\s+)?/.exec(source.slice(start))?.[0].length ?? 0);
}

/** A text is not what a menu of a browser copies. */
class Unexpected extends Error {
  readonly at: number;

  constructor(at: number, wanted: string) {
    super(wanted);
    this.at = at;
  }
}

/** Reads a text from left to right; what is not expected ends it. */
export class Reader {
  readonly source: string;
  at: number;

  constructor(source: string, start: number) {
    this.source = source;
    this.at = start;
  }

  /** Reads what a sticky pattern describes, if it is there. */
  take(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.source);
    if (found === null) return undefined;
    this.at = pattern.lastIndex;
    return found;
  }

  /** @throws {Unexpected} It is not there. */
  expect(pattern: RegExp, wanted: string): RegExpExecArray {
    return this.take(pattern) ?? this.fail(wanted);
  }

  /** @throws {Unexpected} Always. */
  fail(wanted: string, at: number = this.at): never {
    throw new Unexpected(at, wanted);
  }
}

/**
 * Reads a command of a browser's menu.
 *
 * @param menu The entry of the menu, for the fault.
 * @param read Returns the command, with the reader at its end.
 */
export function readCopied(
  source: string,
  start: number,
  menu: string,
  onFault: Report,
  read: (reader: Reader) => Omit<CurlCommand, "span">,
): ParsedCurl {
  const reader = new Reader(source, start);
  reader.take(/\s*/y);
  const begin = reader.at;
  try {
    const command = read(reader);
    const span = { start: begin, end: reader.at };
    reader.expect(/[ \t]*;?[ \t]*(?:\r?\n|$)/y, "the end of the command");
    return { command: { ...command, span }, next: reader.at };
  } catch (error) {
    if (!(error instanceof Unexpected)) throw error;
    onFault(
      restOfLine(source, error.at),
      `Expected ${error.message}`,
      `Only what "${menu}" of a browser writes is read. Write anything else as a request, or into a TypeScript cell`,
    );
    const block = /(?:[^\r\n]+(?:\r\n?|\n|$)(?!###))*/y;
    block.lastIndex = error.at;
    block.test(source);
    return { command: undefined, next: Math.max(block.lastIndex, begin + 1) };
  }
}

function restOfLine(source: string, start: number): Span {
  const end = source.indexOf("\n", start);
  return { start, end: Math.max(end === -1 ? source.length : end, start) };
}

/** A command with nothing but what a menu copies. Browsers follow redirects. */
export function copiedCommand(
  given: Pick<CurlCommand, "method" | "url" | "headers"> & { readonly body: string | undefined },
): Omit<CurlCommand, "span"> {
  const { method, url, headers, body } = given;
  return {
    method,
    url,
    headers,
    without: [],
    body: body === undefined ? undefined : { kind: "text", text: body },
    follows: true,
    cookieFiles: [],
  };
}

/** @throws {Unexpected} A name is no header. */
export function checkHeader(reader: Reader, name: string, at: number): void {
  if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) reader.fail("the name of a header", at);
}
