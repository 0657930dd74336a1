/** A request as it is to be written down; secrets are out of it already. */
export interface WrittenRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string | Uint8Array | undefined;
  /** Whether redirects were followed on the way to the answer. */
  readonly follows?: boolean;
}

/** Whether a text is made of placeholders alone. */
export function isPlaceholders(text: string): boolean {
  return /^(?:\{\{[^{}]+\}\})+$/.test(text);
}

/** `name:password` of the line `Authorization: Basic name {{password}}`, which no server reads. */
export function basicPair([name, value]: readonly [string, string]): string | undefined {
  if (name.toLowerCase() !== "authorization") return undefined;
  const [, user, password = ""] = /^Basic (\S+) (\S.*)$/i.exec(value) ?? [];
  return user !== undefined && isPlaceholders(password) ? `${user}:${password}` : undefined;
}

/** Bytes in base64. */
export function toBase64(bytes: Uint8Array): string {
  const pieces: string[] = [];
  // In pieces: a call takes only so many arguments.
  for (let start = 0; start < bytes.length; start += 8192) {
    pieces.push(String.fromCharCode(...bytes.subarray(start, start + 8192)));
  }
  return btoa(pieces.join(""));
}

/** Whether a header of that name is among the headers. */
export function hasHeader({ headers }: WrittenRequest, lowerName: string): boolean {
  return headers.some(([name]) => name.toLowerCase() === lowerName);
}
