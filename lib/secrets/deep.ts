import type { Secrets } from "./secrets.ts";

const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};
// Bytes in base64: a stretch that looks like a secret's would be chance, and the picture broken.
const BINARY = /^(?:image\/(?!svg)|audio\/|video\/|font\/|application\/(?:pdf|zip|octet-stream))/;

/**
 * Masks a bundle of forms by media type. What restlab renders is masked before it is escaped and
 * cut, where placeholders and carets come out right; this is the net below, and all that there is
 * for bundles that values make themselves.
 */
export function maskBundle<Bundle extends Readonly<Record<string, unknown>>>(
  bundle: Bundle,
  secrets: Pick<Secrets, "mask">,
): Bundle {
  const masked = Object.entries(bundle).map(([type, content]) => {
    if (BINARY.test(type)) return [type, content];
    if (typeof content !== "string") return [type, maskDeep(content, secrets)];
    const isMarkup = /[/+](?:html|xml)$/.test(type);
    return [type, isMarkup ? secrets.mask(content, escapeShown) : secrets.mask(content)];
  });
  return Object.fromEntries(masked) as Bundle;
}

/** Masks every text of a value that JSON can hold, keys among them; what has none is given as it is. */
export function maskDeep(value: unknown, secrets: Pick<Secrets, "mask">): unknown {
  if (typeof value === "string") return secrets.mask(value);
  if (typeof value !== "object" || value === null) return value;
  const numbers = maskNumbers(Object.values(value), secrets.mask);
  if (numbers !== undefined) return numbers;
  if (Array.isArray(value)) return value.map((item) => maskDeep(item, secrets));
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== null && prototype !== Object.prototype) return value;
  const copy: Record<string, unknown> = Object.create(null);
  for (const [key, item] of Object.entries(value))
    copy[secrets.mask(key)] = maskDeep(item, secrets);
  return { ...copy };
}

/**
 * The numbers of a list as a text where they are the bytes of a secret, which no number tells by
 * itself; nothing for all other lists.
 */
export function maskNumbers(
  items: readonly unknown[],
  mask: (text: string) => string,
): string | undefined {
  if (items.length < 2 || !items.every((item) => typeof item === "number")) return undefined;
  const text = items.join(", ");
  const masked = mask(text);
  return masked === text ? undefined : masked;
}

function escapeShown(shown: string): string {
  return shown.replace(/[&<>"']/g, (sign) => ESCAPES[sign] ?? sign);
}
