/** The address of an answer that comes in pieces; see test/support/stream-routes.ts. */
export function pieces(base: string, type: string, parts: readonly string[], more = ""): string {
  const query = parts.map((part) => `&p=${encodeURIComponent(part)}`).join("");
  return `${base}/pieces?type=${encodeURIComponent(type)}${query}${more}`;
}

/** Lets an answer with `&gate=name` send its next piece: what was read before came by itself. */
export async function sendNext(base: string, gate: string): Promise<void> {
  await (await fetch(`${base}/next/${gate}`)).text();
}
