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
