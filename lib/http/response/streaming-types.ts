import { parseMediaType } from "../../exchange/mod.ts";

/** Answers that last as long as there is something to tell. */
const ENDLESS =
  /^(?:text\/event-stream|application\/(?:x-ndjson|ndjson|jsonl|x-jsonlines|jsonlines|json-seq|stream\+json|x-json-stream))$/;

/** Whether an answer may well have no end: no time limit holds for its body. */
export function isEndless(response: Response): boolean {
  return ENDLESS.test(parseMediaType(response.headers.get("content-type")).essence);
}

/** Whether an answer that is stopped half-way is worth keeping as it is: a stream, or growing text. */
export function isStream(response: Response): boolean {
  if (isEndless(response)) return true;
  const { headers } = response;
  const { essence } = parseMediaType(headers.get("content-type"));
  const grows = essence.startsWith("text/") && essence !== "text/html";
  return grows && !headers.has("content-length");
}
