const CHUNK = 0x8000;

/** Bytes in base64, as data URIs have them. */
export function toBase64(bytes: Uint8Array): string {
  let binary = "";
  // One call takes its arguments from the stack, so it is fed in pieces.
  for (let start = 0; start < bytes.length; start += CHUNK) {
    binary += String.fromCharCode(...bytes.subarray(start, start + CHUNK));
  }
  return btoa(binary);
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
 * Whether bytes hold a secret, which would be legible beside their digits; the rows of a dump part
 * it, so that nothing could find it there.
 */
export function holdSecret(bytes: Uint8Array, hide: (text: string) => string): boolean {
  const latin = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  const text = new TextDecoder().decode(bytes);
  return hide(latin) !== latin || hide(text) !== text;
}
