/** Lines that a cell begins with, and what they do; those that take a value end with a blank. */
export const MAGICS: Readonly<Record<string, string>> = {
  "%demo": "starts the embedded users API and sets {{base}} to its URL",
  "%env ": "uses an environment of http-client.env.json and its like",
  "%strict ": "on: a type error fails the cell; off: it is a warning",
  "%%http": "the cell is a request, whatever its first line is",
  "%%ts": "the cell is TypeScript, whatever its first line is",
};

/** The values of `%strict`, and what they do. */
export const STRICT_VALUES: Readonly<Record<string, string>> = {
  on: "a type error fails the cell",
  off: "a type error is a warning",
};
