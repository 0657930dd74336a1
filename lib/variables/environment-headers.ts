import {
  isNumberText,
  messageOf,
  parseTemplate,
  type Scope,
  type Template,
} from "../interpolation/mod.ts";
import { isHeaderName } from "../request/mod.ts";
import { readVariable, type Section } from "./environment-file.ts";
import type { EnvironmentVariable } from "./environment-values.ts";
import { EnvironmentError } from "./errors.ts";

/** A header that an environment gives to each request that does not have it. */
export interface EnvironmentHeader {
  readonly name: string;
  readonly value: Template;
  /** The path of the file, as messages name it. */
  readonly file: string;
  readonly line: number;
  /** Whether it stands in a private file. */
  readonly secret: boolean;
}

/** The names of headers in kulala's files, the older one first. */
const NAMES = ["$default_headers", "$kulalaDefaultHeaders"];

/** Whether a member of an environment contains headers, and is no variable. */
export function isHeaders(name: string): boolean {
  return NAMES.includes(name);
}

/**
 * The headers that an environment of some files gives to each request.
 *
 * @throws {EnvironmentError} They are not an object of texts, or a placeholder in one is broken.
 */
export function headersOf(
  environment: string,
  sections: readonly Section[],
): readonly EnvironmentHeader[] {
  return sections.flatMap(({ file, shown, environments }) => {
    const entries = environments.get(environment);
    if (entries === undefined || typeof entries === "number") return [];
    return NAMES.flatMap((key): readonly EnvironmentHeader[] => {
      const node = entries.get(key);
      if (node === undefined) return [];
      const refuse = (line: number, problem: string): EnvironmentError =>
        new EnvironmentError(`Cannot use "${key}" of ${shown}:${line}: ${problem}`);
      if (node.kind !== "object") {
        throw refuse(node.line, `it is not an object. Write {"${key}": {"Accept": "text/plain"}}`);
      }
      return Array.from(node.entries, ([name, inner]) => {
        try {
          if (!isHeaderName(name)) throw new TypeError(`"${name}" is no name of a header`);
          const value = readVariable(file, inner);
          if (value === null || (typeof value === "object" && !isNumberText(value)))
            throw new TypeError(`the value of "${name}" is no text`);
          const place = { file: shown, line: inner.line, secret: file.secret };
          return { name, value: parseTemplate(String(value)), ...place };
        } catch (cause) {
          throw refuse(inner.line, messageOf(cause));
        }
      });
    });
  });
}

/** The headers by their names, of which the last one counts, whatever its letter case. */
export function headersToGive(
  headers: readonly EnvironmentHeader[],
): readonly (readonly [name: string, value: Template])[] {
  const last = new Map(headers.map((one) => [one.name.toLowerCase(), one]));
  return Array.from(last.values(), ({ name, value }) => [name, value] as const);
}

/** What is written in the value of a private header, without its placeholders. */
export function privateTexts({ value, secret }: EnvironmentHeader): readonly string[] {
  return secret ? value.parts.filter((part) => typeof part === "string") : [];
}

/** A header that names a secret has the value of a variable whose name is no other's. */
export function withSecret(
  header: EnvironmentHeader,
  scope: Scope,
  shared: Map<string, EnvironmentVariable>,
): EnvironmentHeader {
  const { value, file, line } = header;
  const [text, ...more] = value.parts;
  if (typeof text !== "string" || more.length > 0) return header;
  if (scope.reference?.(text) === undefined) return header;
  const name = `$default_headers ${header.name}`;
  shared.set(name, { name, value: text, secret: true, file, line });
  return { ...header, value: parseTemplate(`{{$shared ${name}}}`) };
}
