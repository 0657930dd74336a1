const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Text as HTML, safe between tags and in a quoted attribute. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}

// Notebooks run MathJax over whatever lies outside of code, and a formula may hold a link that runs
// a script: `$\href{javascript:…}{x}$`. It looks for its marks in unbroken text alone.
const MATH = /\$|\\(?=[([]|begin|ref|eqref)/g;

/** Text as HTML between tags, in which no viewer finds a formula. */
export function escapeHtmlText(text: string): string {
  return escapeHtml(text).replace(MATH, "<span>$&</span>");
}
