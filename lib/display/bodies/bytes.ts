const CHUNK = 0x8000;

/** Encodes bytes in base64. */
export function toBase64(bytes: Uint8Array): string {
  return btoa(toBinary(bytes));
}

/** Each byte as one character. */
function toBinary(bytes: Uint8Array): string {
  let binary = "";
  // Too many arguments of one call would overflow the stack.
  for (let start = 0; start < bytes.length; start += CHUNK) {
    binary += String.fromCharCode(...bytes.subarray(start, start + CHUNK));
  }
  return binary;
}

/** Writes a hex dump: offset, sixteen bytes, and their printable ASCII characters. */
export function toHexDump(bytes: Uint8Array): string {
  const lines: string[] = [];
  for (let start = 0; start < bytes.length; start += 16) {
    const row = [...bytes.subarray(start, start + 16)];
    const digits = row.map((byte) => byte.toString(16).padStart(2, "0")).join(" ");
    const letters = row.map((byte) =>
      byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : ".",
    );
    lines.push(`${start.toString(16).padStart(8, "0")}  ${digits.padEnd(47)}  ${letters.join("")}`);
  }
  return lines.join("\n");
}

/**
 * Whether bytes contain a secret, as Latin-1 or UTF-8 text. The rows of a dump would split it, and the base64
 * of an image cannot be masked, so such bytes are not shown.
 */
export function holdSecret(bytes: Uint8Array, redact: (text: string) => string): boolean {
  return [toBinary(bytes), new TextDecoder().decode(bytes)].some((text) => redact(text) !== text);
}
