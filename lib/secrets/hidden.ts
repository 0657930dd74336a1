/** What stands in the place of a secret that came from no placeholder. */
export const HIDDEN = "•••";

/** Whether a text is what stands in the place of a secret, or a template that names one. */
export function isHidden(text: string): boolean {
  return text.includes("{{") || text.includes(HIDDEN);
}
