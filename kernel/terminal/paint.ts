import type picocolors from "picocolors";
import type { Paint } from "../../lib/display/mod.ts";

/** The functions of picocolors; without colours each returns its text. */
export type Colors = ReturnType<typeof picocolors.createColors>;

/** Creates the paint of each role. A status class is also readable without its colour. */
export function createPaint(colors: Colors): Paint {
  const classes = {
    Informational: colors.blue,
    Successful: colors.green,
    Redirection: colors.cyan,
    "Client error": colors.yellow,
    "Server error": colors.red,
    Unassigned: colors.magenta,
  };
  const levels = { info: colors.dim, warning: colors.yellow, error: colors.red };
  return {
    method: colors.bold,
    url: String,
    // An exchange of another version of the library may have another class.
    status: (text, statusClass) => colors.bold((classes[statusClass] ?? colors.magenta)(text)),
    fact: colors.dim,
    key: colors.bold,
    number: colors.cyan,
    string: colors.green,
    literal: colors.yellow,
    note: (text, level) => levels[level](text),
  };
}
