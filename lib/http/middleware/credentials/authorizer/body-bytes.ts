import type { OutgoingRequest } from "./authorizer.ts";

/** The bytes of a body in chunks, so that memory never contains all of a stream. */
export async function* bodyBytes(body: OutgoingRequest["body"]): AsyncGenerator<Uint8Array> {
  if (body === undefined) return;
  if (typeof body === "string") yield new TextEncoder().encode(body);
  else if (body instanceof Uint8Array) yield body;
  else {
    const reader = body.stream().getReader();
    for (let step = await reader.read(); !step.done; step = await reader.read()) yield step.value;
  }
}
