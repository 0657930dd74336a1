import { resolve } from "node:path";

/** The option of `--report`, as `parseArgs` takes it. */
export const REPORT_OPTION = {
  report: { type: "string", short: "r", multiple: true },
} as const;

/** A report in one of the formats of a command. */
interface Report<Format extends string> {
  readonly format: Format;
  /** The file; absent for standard output. */
  readonly path?: string;
}

/**
 * Parses the values of `--report`: `FORMAT` or `FORMAT=FILE`.
 *
 * @throws {Error} A format is unknown, or two reports would be written to one place.
 */
export function parseReports<Format extends string>(
  texts: readonly string[],
  formats: readonly Format[],
): readonly Report<Format>[] {
  const reports = texts.map((text) => parseReport(text, formats));
  const taken = new Set<string | undefined>();
  for (const { format, path } of reports) {
    // Annotations are found between other lines.
    if (path === undefined && format === "github") continue;
    const place = path === undefined ? undefined : resolve(path);
    if (taken.has(place)) {
      const shown = path === undefined ? "standard output" : `"${path}"`;
      throw new Error(`Two reports would be written to ${shown}: give each a file of its own`);
    }
    taken.add(place);
  }
  return reports;
}

function parseReport<Format extends string>(
  text: string,
  formats: readonly Format[],
): Report<Format> {
  const [, name = text, path] = /^([^=]*)=(.*)$/s.exec(text) ?? [];
  const format = formats.find((one) => one === name);
  if (format === undefined) {
    throw new Error(`--report "${text}" is unknown: the formats are ${formats.join(", ")}`);
  }
  if (path === undefined) return { format };
  if (path === "") throw new Error(`--report "${text}" has no file: write --report ${format}=FILE`);
  return { format, path };
}
