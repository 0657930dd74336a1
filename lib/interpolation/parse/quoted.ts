import type { Template } from "./template.ts";

const QUOTED = new WeakMap<Template, Uint8Array>();

/**
 * Tells for each part of a JSON template whether it begins inside a JSON string: 1 where it does.
 *
 * Only the template's literal text counts, never a value: no value can open or close a string.
 */
export function quotedParts(template: Template): Uint8Array {
  let quoted = QUOTED.get(template);
  if (quoted === undefined) {
    quoted = computeQuotedParts(template);
    QUOTED.set(template, quoted);
  }
  return quoted;
}

/** Whether text ends inside a JSON string, given whether it begins inside one. */
export function endsInString(text: string, beginsInString: boolean): boolean {
  let inString = beginsInString;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === 0x22) inString = !inString;
    else if (code === 0x5c && inString) index++;
  }
  return inString;
}

function computeQuotedParts({ parts }: Template): Uint8Array {
  const quoted = new Uint8Array(parts.length);
  let inString = false;
  parts.forEach((part, index) => {
    quoted[index] = inString ? 1 : 0;
    if (typeof part === "string") inString = endsInString(part, inString);
  });
  return quoted;
}
