/** Names of Node's buffers, which VS Code REST Client and httpYac document, that are not labels of `TextDecoder`. */
const NODE_NAMES: Readonly<Record<string, string>> = {
  utf16le: "utf-16le",
  ucs2: "utf-16le",
  "ucs-2": "utf-16le",
  binary: "latin1",
};

/**
 * The label with which a `TextDecoder` reads a file of an encoding, as in `<@latin1 ./file`.
 *
 * @returns `undefined` if the encoding is not supported.
 */
export function encodingLabel(name: string): string | undefined {
  const lower = name.toLowerCase();
  const windows = /^(?:cp|win|windows)[-_]?(125\d)$/.exec(lower)?.[1];
  const label = NODE_NAMES[lower] ?? (windows === undefined ? lower : `windows-${windows}`);
  try {
    new TextDecoder(label);
    return label;
  } catch {
    // A RangeError: this runtime does not know the label.
    return undefined;
  }
}
