import type { Outgoing } from "./authorizer.ts";

/** The bytes of a body, piece by piece, without all of them being held at once. */
export async function* bodyBytes(body: Outgoing["body"]): AsyncGenerator<Uint8Array> {
  if (body === undefined) return;
  if (typeof body === "string") yield new TextEncoder().encode(body);
  else if (body instanceof Uint8Array) yield body;
  else {
    const reader = body.stream().getReader();
    for (let step = await reader.read(); !step.done; step = await reader.read()) yield step.value;
  }
}
