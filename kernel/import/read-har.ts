import { isRecord, memberOf } from "../../lib/interpolation/mod.ts";
import { isHeaderName, isJsonType, isSecretName } from "../../lib/request/mod.ts";
import {
  type CollectionBuilder,
  ImportError,
  type ImportedRequest,
  joinText,
  type Row,
  type Text,
} from "./collection.ts";
import { hideSecrets } from "./credentials.ts";
import type { ReadContent, ReadOptions, Source } from "./readers.ts";
import { decodeBase64, listOf, scalarText } from "./values.ts";

/**
 * Reads the requests of a HAR file in order. What pages load besides the calls of an API, and repetitions, are left
 * out unless all are wanted. Recordings are rougher than their specification: nothing but an URL is required.
 */
export function readHarSource(
  { data, name }: Source,
  builder: CollectionBuilder,
  { all = false }: ReadOptions,
): ReadContent {
  const log = memberOf(data, "log");
  const entries = memberOf(log, "entries");
  if (!Array.isArray(entries)) {
    throw new ImportError(`Reading "${name}" failed: log.entries is missing, or is not an array`);
  }
  const seen = new Set<string>();
  const counts = { static: 0, repeated: 0 };
  const items = entries.flatMap((entry: unknown, index): readonly ImportedRequest[] => {
    const where = `$.log.entries[${index}]`;
    const request = memberOf(entry, "request");
    const url = memberOf(request, "url");
    if (typeof url !== "string" || !/^https?:\/\//i.test(url)) {
      builder.remark("left out", where, "It has no request over HTTP");
      return [];
    }
    if (!all && isStatic(entry, url)) {
      counts.static += 1;
      return [];
    }
    const key = JSON.stringify([memberOf(request, "method"), url, memberOf(request, "postData")]);
    if (!all && seen.has(key)) {
      counts.repeated += 1;
      return [];
    }
    seen.add(key);
    return [readRequest(request, url, where, builder)];
  });
  if (counts.static > 0) {
    const message = `Pages, scripts, images and the like: ${counts.static}; --all keeps them`;
    builder.remark("left out", "$.log.entries", message);
  }
  if (counts.repeated > 0) {
    const message = `Requests that repeat another one: ${counts.repeated}; --all keeps them`;
    builder.remark("left out", "$.log.entries", message);
  }
  const [page] = listOf(memberOf(log, "pages"));
  return { name: scalarText(memberOf(page, "title")) || "Recorded requests", items };
}

const STATIC_TYPE =
  /^(?:image|font|audio|video)\/|^text\/(?:css|html|javascript)\b|^application\/(?:x-)?(?:javascript|font)/i;
const STATIC_KIND =
  /^(?:document|stylesheet|image|media|font|script|manifest|texttrack|preflight|ping)$/;
const STATIC_PATH =
  /\.(?:png|jpe?g|gif|svg|ico|webp|avif|css|m?js|map|woff2?|ttf|mp[34]|webm)(?:[?#]|$)/i;

function isStatic(entry: unknown, url: string): boolean {
  const method = scalarText(memberOf(memberOf(entry, "request"), "method")).toUpperCase();
  if (method !== "" && method !== "GET" && method !== "HEAD") {
    return memberOf(entry, "_resourceType") === "preflight";
  }
  const kind = scalarText(memberOf(entry, "_resourceType"));
  if (kind === "xhr" || kind === "fetch") return false;
  const type = scalarText(memberOf(memberOf(memberOf(entry, "response"), "content"), "mimeType"));
  return STATIC_KIND.test(kind) || STATIC_TYPE.test(type) || STATIC_PATH.test(url);
}

/** Headers that a client sets by itself, or that make sense for one moment only. */
export const OWN_HEADER: RegExp =
  /^(?::.*|host|connection|content-length|accept-encoding|transfer-encoding|keep-alive|te|trailer|upgrade|upgrade-insecure-requests|user-agent|dnt|priority|proxy-.*|sec-.*|if-.*)$/i;

function readRequest(
  request: unknown,
  url: string,
  where: string,
  builder: CollectionBuilder,
): ImportedRequest {
  const written = scalarText(memberOf(request, "method")).trim() || "GET";
  const method = /^[a-z]+$/.test(written) ? written.toUpperCase() : written;
  const rows = listOf(memberOf(request, "headers")).flatMap((header): readonly Row[] => {
    const name = scalarText(memberOf(header, "name")).trim();
    if (OWN_HEADER.test(name)) return [];
    if (isHeaderName(name)) return [{ name, value: [scalarText(memberOf(header, "value"))] }];
    builder.remark("left out", where, `No header can have the name ${JSON.stringify(name)}`);
    return [];
  });
  const { body, type } = readBody(memberOf(request, "postData"), where, builder);
  const isType = ({ name }: Row): boolean => name.toLowerCase() === "content-type";
  const typed =
    body === undefined || type === "" || rows.some(isType)
      ? []
      : [{ name: "Content-Type", value: [type] }];
  const [target = "", query] = url.replace(/#.*/s, "").split(/\?(.*)/s);
  const path = target.replace(/^https?:\/\/[^/]*/i, "") || "/";
  return {
    kind: "request",
    title: `${method} ${path}`,
    where,
    method,
    url: [target],
    query: query === undefined ? [] : query.split("&").map((pair) => queryRow(pair, builder)),
    headers: hideSecrets([...typed, ...rows], builder),
    body,
  };
}

function queryRow(pair: string, builder: CollectionBuilder): Row {
  const [name = "", value] = pair.split(/=(.*)/s);
  if (value === undefined || value === "" || !isSecretName(name)) return { name, value: [pair] };
  return { name, value: [`${name}=`, builder.secret(name, [value])] };
}

function readBody(
  data: unknown,
  where: string,
  builder: CollectionBuilder,
): { readonly body?: ImportedRequest["body"]; readonly type: string } {
  const type = scalarText(memberOf(data, "mimeType"));
  const params = listOf(memberOf(data, "params"));
  const encoding = memberOf(data, "_encoding") ?? memberOf(data, "encoding");
  const pairs = params.map((one) => [
    scalarText(memberOf(one, "name")),
    scalarText(memberOf(one, "value")),
  ]);
  const text = scalarText(memberOf(data, "text")) || new URLSearchParams(pairs).toString();
  if (text === "") return { type };
  if (encoding === "base64") {
    const bytes = decodeBase64(text);
    if (bytes === undefined) {
      builder.remark("left out", where, "Its body is not base64, as it says");
      return { type };
    }
    const name = `body-${builder.files.size + 1}.bin`;
    builder.files.set(name, bytes);
    return { type, body: { kind: "text", pieces: [{ file: `./${name}` }] } };
  }
  return { type, body: { kind: "text", pieces: hideFields(text, type, builder) } };
}

const MEMBER = /("(?:\\.|[^"\\])*"\s*:\s*")((?:\\.|[^"\\])+)(?=")/g;
const FIELD = /((?:^|&)[^=&]*=)([^&]+)/g;

/** Replaces the values of fields whose names mean a secret, in JSON and forms. */
function hideFields(text: string, type: string, builder: CollectionBuilder): Text {
  const isForm = /^application\/x-www-form-urlencoded/i.test(type);
  if (!isForm && !isJsonType(type)) return [text];
  const parts: Text[number][] = [];
  let at = 0;
  for (const { index, 1: before = "", 2: value = "" } of text.matchAll(isForm ? FIELD : MEMBER)) {
    const name = before.replace(/^[&"]|"?\s*[:=]\s*"?$/g, "");
    if (!isSecretName(name)) continue;
    const start = index + before.length;
    const plain = isForm ? value : unescapeJson(value);
    parts.push(text.slice(at, start), builder.secret(name, [plain]));
    at = start + value.length;
  }
  return joinText([...parts, text.slice(at)]);
}

function unescapeJson(value: string): string {
  try {
    return JSON.parse(`"${value}"`) as string;
  } catch {
    // It is not JSON, as it says: the text is kept.
    return value;
  }
}

/** Whether data is a HAR file. */
export function isHar(data: unknown): boolean {
  return (
    isRecord(memberOf(data, "log")) && memberOf(memberOf(data, "log"), "entries") !== undefined
  );
}
