import { decodeText, fromBinary, parseMediaType } from "../exchange/mod.ts";

/** Decodes a text of which each character is a byte. */
export function decodeBinary(binary: string, type: string): ReturnType<typeof decodeText> {
  return decodeText(fromBinary(binary), parseMediaType(type), true);
}

/**
 * The value of a parameter of a Content-Disposition, of which each character is a byte: of `name*` with its charset (RFC 8187), quoted, or a token;
 * empty if there is none.
 */
export function parameterOf(disposition: string, name: string): string {
  const coded = new RegExp(`;\\s*${name}\\*\\s*=\\s*([\\w-]*)'[^']*'([^\\s;]+)`, "i").exec(
    disposition,
  );
  if (coded?.[2] !== undefined) {
    const binary = coded[2].replace(/%([\da-f]{2})/gi, (_, digits) =>
      String.fromCharCode(Number.parseInt(digits, 16)),
    );
    return decodeBinary(binary, `text/plain; charset=${coded[1] || "utf-8"}`).text;
  }
  const pattern = new RegExp(
    `;\\s*${name}\\s*=\\s*(?:"((?:[^"\\\\]|\\\\.){0,1000})"|([^\\s;"]+))`,
    "i",
  );
  const [, quoted, token = ""] = pattern.exec(disposition) ?? [];
  return decodeBinary(quoted?.replace(/\\(["\\])/g, "$1") ?? token, "").text;
}
