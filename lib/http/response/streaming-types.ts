import { parseMediaType, streamKind } from "../../exchange/mod.ts";

/** Whether a response may never end, so that no default time limit applies to its body. */
export function isEndless({ headers }: Response): boolean {
  const kind = streamKind(parseMediaType(headers.get("content-type")).essence);
  return kind === "events" || kind === "lines";
}

/** Whether a response that is aborted halfway is kept as it is: a stream, or text without a known length. */
export function isStream(response: Response): boolean {
  if (isEndless(response)) return true;
  const { headers } = response;
  const { essence } = parseMediaType(headers.get("content-type"));
  const isText = essence.startsWith("text/") && essence !== "text/html";
  return isText && !headers.has("content-length");
}
