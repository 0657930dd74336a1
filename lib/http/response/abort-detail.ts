/** The abort reason that a caller gave, in parentheses; nothing for the default reason of `abort()`. */
export function abortDetail(reason: unknown): string {
  if (typeof reason === "string" && reason !== "") return ` (${reason})`;
  if (!(reason instanceof Error) || reason.name === "AbortError") return "";
  return ` (${reason.message})`;
}
