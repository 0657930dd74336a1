import type { StreamKind } from "./items.ts";

/** The media types of JSON Lines and of JSON text sequences (RFC 7464). */
export const JSON_LINES: RegExp =
  /^application\/(?:x-ndjson|ndjson|jsonl|x-jsonl|x-jsonlines|jsonlines|json-seq|stream\+json|x-json-stream)$/;

const KINDS: readonly (readonly [RegExp, StreamKind])[] = [
  [/^text\/event-stream$/, "events"],
  [JSON_LINES, "lines"],
  [/^text\/|[/+](?:json|xml)$|^application\/(?:javascript|yaml|x-yaml)$/, "text"],
];

/**
 * Chooses how to split a body while it arrives.
 *
 * @param mediaType `type/subtype` in lower case, without parameters.
 */
export function streamKind(mediaType: string): StreamKind {
  return KINDS.find(([pattern]) => pattern.test(mediaType))?.[1] ?? "bytes";
}
