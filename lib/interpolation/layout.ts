import type { Template } from "./template.ts";

/** What stands around each part of a template, by its index. */
export interface Layout {
  /** 1 where the part begins inside a JSON string. */
  readonly quoted: Uint8Array;
  /** The blanks that the line begins with in which the part begins. */
  readonly indents: readonly string[];
}

const LAYOUTS = new WeakMap<Template, Layout>();

/** Looks at the template's literal text, never at a value: no value can open or close a string. */
export function layoutOf(template: Template): Layout {
  const known = LAYOUTS.get(template);
  if (known !== undefined) return known;
  const layout = computeLayout(template);
  LAYOUTS.set(template, layout);
  return layout;
}

function computeLayout({ parts }: Template): Layout {
  const quoted = new Uint8Array(parts.length);
  const indents: string[] = [];
  let inString = false;
  let indent = "";
  let atLineStart = true;
  for (let index = 0; index < parts.length; index++) {
    const part = parts[index] as Template["parts"][number];
    quoted[index] = inString ? 1 : 0;
    indents.push(indent);
    if (typeof part !== "string") {
      atLineStart = false;
      continue;
    }
    inString = endsInString(part, inString);
    const lineStart = Math.max(part.lastIndexOf("\n"), part.lastIndexOf("\r")) + 1;
    if (lineStart === 0 && !atLineStart) continue;
    let end = lineStart;
    while (part.charCodeAt(end) === 0x20 || part.charCodeAt(end) === 0x09) end++;
    indent = (lineStart === 0 ? indent : "") + part.slice(lineStart, end);
    atLineStart = end === part.length;
  }
  return { quoted, indents };
}

function endsInString(text: string, startsInString: boolean): boolean {
  let inString = startsInString;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === 0x22) inString = !inString;
    else if (code === 0x5c && inString) index++;
  }
  return inString;
}
