import { whyUnsafe } from "../names/mod.ts";
import { toText } from "./base64.ts";
import { unescapeText } from "./escapes.ts";

/** Shorter base64 occurs in any picture by chance. */
const SHORTEST_BASE64 = 6;
/** A shorter line of a key is not a secret. */
const SHORTEST_LINE = 12;

const encoder = new TextEncoder();

/**
 * The forms in which a secret is searched for: plain, as its bytes, as part of a host name, as a form
 * field, in hexadecimal digits, and in base64 whatever surrounds it.
 */
export function formsOf(secret: string): readonly string[] {
  const forms = new Set<string>();
  for (const text of partsOf(secret)) {
    const bytes = encoder.encode(text);
    for (const plain of [text, toText(bytes)])
      for (const form of plainFormsOf(plain)) forms.add(form);
    // The URL parser writes the name of a host in lower case.
    if (/^[A-Za-z0-9.-]+$/.test(text)) forms.add(text.toLowerCase());
    for (const form of inHex(bytes)) forms.add(form);
    for (const form of inBase64(bytes)) forms.add(form);
  }
  forms.delete("");
  return [...forms];
}

/** Consoles and editors part the lines of a key; the marks around it are in every other key, too. */
function partsOf(secret: string): readonly string[] {
  const lines = secret.split(/[\r\n]+/).map((line) => line.trim());
  const own = lines.filter((line) => line.length >= SHORTEST_LINE && !line.startsWith("-----"));
  return [secret, secret.trim(), ...(lines.length > 1 ? own : [])];
}

/**
 * The text itself, as a form writes and reads it, as the URL parser writes it in a path, and each of
 * these with its escapes undone.
 */
function plainFormsOf(text: string): string[] {
  const forms = [
    text,
    text.replaceAll(" ", "+"),
    text.replaceAll("+", " "),
    text.replaceAll("\\", "/"),
  ];
  const read = forms.map((form) => unescapeText(form)?.text ?? form);
  return [...forms, ...read].filter((form) => form === text || whyUnsafe(form) === undefined);
}

/**
 * Base64 packs three bytes into four characters, so a text looks different by what stands before it:
 * `user:` before a password, say. Characters that hold bits of a neighbour are left out, but where
 * nothing follows.
 */
function inBase64(bytes: Uint8Array): string[] {
  const forms: string[] = [];
  for (let before = 0; before < 3; before++) {
    const encoded = btoa(toText(new Uint8Array([...new Uint8Array(before), ...bytes])));
    const own = encoded.slice(Math.ceil((before * 8) / 6));
    const shared = encoded.length - own.length;
    forms.push(own, own.replace(/=+$/, ""));
    forms.push(own.slice(0, Math.floor(((before + bytes.length) * 8) / 6) - shared));
  }
  return forms
    .filter((form) => form.length >= SHORTEST_BASE64)
    .flatMap((form) => [form, form.replaceAll("+", "-").replaceAll("/", "_")]);
}

function inHex(bytes: Uint8Array): string[] {
  const digits = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0"));
  const joined = digits.join("");
  return [joined, joined.toUpperCase(), digits.join(" ")];
}
