import type { StreamKind } from "./items.ts";

const KINDS: readonly (readonly [RegExp, StreamKind])[] = [
  [/^text\/event-stream$/, "events"],
  [
    /^application\/(?:x-ndjson|ndjson|jsonl|x-jsonl|x-jsonlines|jsonlines|json-seq|stream\+json|x-json-stream)$/,
    "lines",
  ],
  [/^text\/|[/+](?:json|xml)$|^application\/(?:javascript|yaml|x-yaml)$/, "text"],
];

/**
 * Tells how a body is best taken apart while it comes.
 *
 * @param mediaType `type/subtype` in lower case, without parameters.
 */
export function streamKind(mediaType: string): StreamKind {
  return KINDS.find(([pattern]) => pattern.test(mediaType))?.[1] ?? "bytes";
}
