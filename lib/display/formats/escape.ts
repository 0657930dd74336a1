const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Escapes a text for HTML, between tags and in quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}

// Notebooks run MathJax on everything but code, and a formula may contain a link that runs a script:
// `$\href{javascript:…}{x}$`. MathJax looks for its delimiters only in unbroken text.
const MATH = /\$|\\(?=[([]|begin|ref|eqref)/g;

/**
 * Escapes a text for HTML between tags, so that no viewer finds a formula in it.
 *
 * @param element The name of an element without a meaning at this place.
 */
export function escapeHtmlText(text: string, element: "span" | "tspan" = "span"): string {
  return escapeHtml(text).replace(MATH, `<${element}>$&</${element}>`);
}
