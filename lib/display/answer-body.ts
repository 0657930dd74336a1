import {
  contentOf,
  createContent,
  dataFormat,
  decodeData,
  decodeText,
  type Exchange,
  maskExchange,
  parseMediaType,
  receivedJson,
} from "../exchange/mod.ts";
import { parseJson } from "../json/mod.ts";
import { findHeader } from "../request/mod.ts";
import { combineSecrets, maskValue } from "../secrets/mod.ts";
import { parameterOf } from "./disposition.ts";
import { toJson } from "./json.ts";
import { bodyPath, NO_ORIGIN } from "./origin.ts";
import type { Body } from "./text-view.ts";
import { forData, type Hidden, type ViewContext } from "./view-context.ts";

/** The context of a response, whose texts are masked once, however many forms show them. */
export function forAnswer(context: ViewContext, exchange: Exchange): ViewContext {
  return forData(context, maskExchange(exchange, context.masking, context.showsSecrets).masker);
}

/** The JSON of a response as data without secrets; `undefined` if it is longer than `most`, or not valid. */
export function answerData(exchange: Exchange, context: ViewContext, most: number): unknown {
  // Several times the limit remains too long without its blanks.
  if (contentOf(exchange).length > most * 4) return undefined;
  try {
    const data = toJson(receivedJson(exchange), most);
    return maskValue(data, context.masking, forAnswer(context, exchange).masker);
  } catch {
    // The view reports why the body is not valid JSON.
    return undefined;
  }
}

/** The beginnings of long bodies that were searched for secrets. */
const SEARCHED = new WeakSet<object>();

/** The body of a response, which may be empty. */
export function answerBody(exchange: Exchange): Body {
  const contentType = exchange.headers.get("content-type") ?? "";
  return {
    mediaType: exchange.mediaType,
    contentType,
    charset: exchange.request.charset ?? parseMediaType(contentType).charset,
    content: contentOf(exchange),
    cut: exchange.cut,
    origin: { path: bodyPath(exchange) },
    fileName: fileNameOf(exchange),
    learn: (value, names) => {
      if (SEARCHED.has(value)) return;
      SEARCHED.add(value);
      for (const secrets of exchange.secrets ?? []) {
        if (names.some((name) => secrets.isSecretName(name)))
          secrets.learn({ kind: "value", value }, "server");
      }
    },
    text: () => exchange.text,
    json: () => receivedJson(exchange),
  };
}

/** The body of a request, if it has one. */
export function requestBody(exchange: Exchange): Body | undefined {
  const { request } = exchange;
  const { body, headers } = request;
  if (body === undefined || body.length === 0) return undefined;
  const contentType = findHeader(headers, "content-type") ?? "";
  const { essence, charset } = parseMediaType(contentType);
  const text = (): string =>
    typeof body === "string" ? body : decodeText(body, { essence, charset }).text;
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
  const content = createContent([bytes]);
  const json = (): unknown => {
    if (dataFormat(essence, content) !== undefined) return decodeData(bytes, essence);
    const { locate } = combineSecrets(exchange.secrets);
    return text().trim() === "" ? undefined : parseJson(text(), locate);
  };
  return {
    mediaType: essence,
    contentType,
    charset,
    content,
    cut: false,
    origin: NO_ORIGIN,
    fileName: "body",
    text,
    json,
  };
}

/**
 * Masks the text of a response, or the same text in another layout.
 *
 * @param hidden Secrets to mask besides those of the exchange.
 */
export function maskAnswerText(
  exchange: Exchange,
  text: string,
  hidden: readonly Hidden[] = [],
): string {
  const masking = combineSecrets([...(exchange.secrets ?? []), ...hidden]);
  return maskExchange(exchange, masking).masker.body(text, exchange.mediaType);
}

/** The usual endings of names of files where the name of the type is another one. */
const ENDINGS: Readonly<Record<string, string>> = {
  jpeg: "jpg",
  "audio/mpeg": "mp3",
  "audio/mp4": "m4a",
  "video/quicktime": "mov",
  plain: "txt",
  javascript: "js",
  markdown: "md",
};

/**
 * The name in the Content-Disposition, or the last segment of the URL, if it is a plain file name, without characters
 * that are special in a shell; else a name by the ending of the former, or by the media type.
 */
function fileNameOf({ url, mediaType, headers }: Exchange): string {
  const disposition = headers.get("content-disposition");
  const given = disposition === null ? "" : parameterOf(disposition, "filename");
  const [, named = "", ending = ""] = /^(.*)\.(\w{1,10})$/s.exec(given) ?? [];
  if (ending !== "") return /^[\w-][\w.-]{0,80}$/.test(named) ? given : `body.${ending}`;
  const last = /^[^?#]*\/([\w-][\w.-]{0,80})(?:[?#]|$)/.exec(url)?.[1];
  if (last?.includes(".")) return last;
  const name = /\/(?:x-)?(\w{1,10})(?:\+\w+)?$/.exec(mediaType)?.[1] ?? "bin";
  return `body.${ENDINGS[mediaType] ?? ENDINGS[name] ?? name}`;
}
