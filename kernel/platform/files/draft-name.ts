/**
 * The path of a file while it is written: beside the final one, and random, since somebody who could
 * guess it could place a link there.
 */
export function draftName(path: string): string {
  const bytes = crypto.getRandomValues(new Uint8Array(9));
  return `${path}.${Buffer.from(bytes).toString("base64url")}.part`;
}
