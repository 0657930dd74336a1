/** The class of a status code. */
export type StatusClass =
  | "Informational"
  | "Successful"
  | "Redirection"
  | "Client error"
  | "Server error"
  | "Unassigned";

const CLASSES: readonly StatusClass[] = [
  "Informational",
  "Successful",
  "Redirection",
  "Client error",
  "Server error",
];

/**
 * Returns the class of a status code (RFC 9110, section 15).
 *
 * @param status The status code.
 * @returns The class; `Unassigned` outside of 100 to 599.
 * @example
 * ```ts
 * statusClass(404); // "Client error"
 * ```
 */
export function statusClass(status: number): StatusClass {
  return CLASSES[Math.floor(status / 100) - 1] ?? "Unassigned";
}
