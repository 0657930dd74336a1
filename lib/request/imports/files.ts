import type { Span } from "../../interpolation/mod.ts";
import type { RequestText } from "../draft/mod.ts";

/** A file that a text names. */
export interface NamedFile {
  /** The path, relative to the folder of the text that is sent. */
  readonly path: string;
  /** The path as it is written. */
  readonly written: string;
  /** The line that names it. */
  readonly span: Span;
}

/**
 * The files of the `import` and `run` lines of a text.
 *
 * @param file The path of the text, if it is itself an imported file.
 */
export function filesOf({ imports, statements }: RequestText, file = ""): readonly NamedFile[] {
  const runs = statements.flatMap((statement) =>
    statement.kind === "run" && statement.isFile
      ? [{ path: statement.target, span: statement.span }]
      : [],
  );
  return [...imports, ...runs].map(({ path, span }) => ({
    path: resolvePath(path, file),
    written: path,
    span,
  }));
}

const ABSOLUTE = /^(?:[\\/]|[a-z]:[\\/])/i;

/** Resolves a path in a file, without `.` and `..` where that is possible. */
export function resolvePath(path: string, file = ""): string {
  const folder = file.replace(/[^\\/]*$/, "");
  const whole = ABSOLUTE.test(path) ? path : `${folder}${path}`;
  const steps: string[] = [];
  for (const [index, step] of whole.split(/[\\/]/).entries()) {
    const last = steps.at(-1);
    if (step === "." || (step === "" && index > 0)) continue;
    if (step === ".." && last !== undefined && last !== ".." && last !== "") steps.pop();
    else steps.push(step);
  }
  return steps.join("/");
}
