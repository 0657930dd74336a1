import type { Secrets } from "./secrets.ts";

/** Masks every text of a value that JSON can hold, keys among them; what has none is given as it is. */
export function maskDeep(value: unknown, secrets: Pick<Secrets, "mask">): unknown {
  if (typeof value === "string") return secrets.mask(value);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => maskDeep(item, secrets));
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== null && prototype !== Object.prototype) return value;
  const copy: Record<string, unknown> = Object.create(null);
  for (const [key, item] of Object.entries(value))
    copy[secrets.mask(key)] = maskDeep(item, secrets);
  return { ...copy };
}
