const CHUNK = 0x8000;

/** Bytes in base64, as data URIs have them. */
export function toBase64(bytes: Uint8Array): string {
  return btoa(toBinary(bytes));
}

/** Each byte as one character. */
function toBinary(bytes: Uint8Array): string {
  let binary = "";
  // One call takes its arguments from the stack, so it is fed in pieces.
  for (let start = 0; start < bytes.length; start += CHUNK) {
    binary += String.fromCharCode(...bytes.subarray(start, start + CHUNK));
  }
  return binary;
}

/** Bytes as a hex dump: offset, sixteen bytes, and what of them is printable ASCII. */
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
 * Whether a secret stands in bytes, as text of one byte for each character or of UTF-8. Rows of a
 * dump part a secret, and base64 of a picture cannot be masked: what holds one is not shown.
 */
export function holdSecret(bytes: Uint8Array, redact: (text: string) => string): boolean {
  return [toBinary(bytes), new TextDecoder().decode(bytes)].some((text) => redact(text) !== text);
}
