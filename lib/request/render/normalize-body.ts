import type { Template } from "../../interpolation/mod.ts";

/** How the text of a body is changed by what its Content-Type asks for; values never are. */
const FORMS: readonly (readonly [type: RegExp, change: (literal: string) => string])[] = [
  // Pairs on lines of their own are one line, as in VS Code REST Client and JetBrains' client.
  [
    /^application\/x-www-form-urlencoded\s*(?:;|$)/i,
    (literal) =>
      literal
        // Only where a run of blanks begins: it is not read again from each of them.
        .replace(/(?<![ \t])[ \t]*(?:\r\n?|\n)[ \t]*(?=&)/g, "")
        .replace(/&[ \t]*(?:\r\n?|\n)[ \t]*/g, "&"),
  ],
  // Servers look for boundaries between CR LF alone (RFC 2046, 5.1.1).
  [/^multipart\//i, (literal) => literal.replace(/\r\n?|\n/g, "\r\n")],
];

/** The text of a body as its Content-Type wants the written part of it. */
export function toWrittenForm(template: Template, contentType: string | undefined): Template {
  const change = FORMS.find(([type]) => contentType !== undefined && type.test(contentType))?.[1];
  if (change === undefined) return template;
  const parts = template.parts.map((part) => (typeof part === "string" ? change(part) : part));
  return { ...template, parts };
}
