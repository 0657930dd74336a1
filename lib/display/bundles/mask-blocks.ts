import { type Masking, maskTexts } from "../../secrets/mod.ts";
import type { Block } from "../blocks/mod.ts";
import { toPageText } from "../formats/mod.ts";

/** Members that formats interpret and do not show, and bytes. */
const NO_TEXT: ReadonlySet<string> = new Set([
  "kind",
  "type",
  "as",
  "of",
  "level",
  "statusClass",
  "language",
  "mediaType",
  "base64",
]);

/**
 * Masks every string of blocks before any format is written. Nothing masks the formats afterwards: they escape
 * every string, placeholders included. Since a server decides what is secret, masking finished markup would
 * let the server break tags apart.
 *
 * Views mask a text before they cut it, since half a secret would not be found. This masks the rest, and
 * whatever a view has forgotten.
 */
export function maskBlocks(blocks: readonly Block[], masking: Masking): readonly Block[] {
  const texts: string[] = [];
  changeTexts(blocks, (text) => {
    texts.push(text);
    return text;
  });
  const masked = maskTexts(texts, masking);
  if (masked === texts) return blocks;
  let index = 0;
  return changeTexts(blocks, (text, name) => {
    const shown = masked[index++] ?? text;
    // The page in a frame is HTML, and what is put into it must be text there.
    return name === "html" && shown !== text ? masking.mask(text, toPageText) : shown;
  });
}

type Change = (text: string, name: string) => string;

function changeTexts<Value>(value: Value, change: Change, name = ""): Value {
  return changed(value, change, name) as Value;
}

function changed(value: unknown, change: Change, name: string): unknown {
  if (typeof value === "string") return NO_TEXT.has(name) ? value : change(value, name);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => changed(item, change, name));
  const entries = Object.entries(value);
  return Object.fromEntries(entries.map(([key, item]) => [key, changed(item, change, key)]));
}
