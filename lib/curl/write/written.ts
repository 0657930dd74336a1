/** A request to write, without its secrets. */
export interface WrittenRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string | Uint8Array | undefined;
  /** Whether redirects were followed. */
  readonly follows?: boolean;
}

/** Whether a text consists of placeholders. */
export function isPlaceholders(text: string): boolean {
  return /^(?:\{\{[^{}]+\}\})+$/.test(text);
}

/** `name:password` of `Authorization: Basic name {{password}}`, which is not a valid header. */
export function basicPair([name, value]: readonly [string, string]): string | undefined {
  if (name.toLowerCase() !== "authorization") return undefined;
  const [, user, password = ""] = /^Basic (\S+) (\S.*)$/i.exec(value) ?? [];
  return user !== undefined && isPlaceholders(password) ? `${user}:${password}` : undefined;
}

/** Encodes bytes in Base64. */
export function toBase64(bytes: Uint8Array): string {
  const pieces: string[] = [];
  // In pieces, since the number of arguments of a call is limited.
  for (let start = 0; start < bytes.length; start += 8192) {
    pieces.push(String.fromCharCode(...bytes.subarray(start, start + 8192)));
  }
  return btoa(pieces.join(""));
}

/** Whether a request has a header. */
export function hasHeader({ headers }: WrittenRequest, lowerName: string): boolean {
  return headers.some(([name]) => name.toLowerCase() === lowerName);
}
