import { type HeaderList, maskHeaders } from "../exchange/mod.ts";
import { hideCredential, type Masker, type Masking } from "../secrets/mod.ts";
import type { HarCookie, HarPair } from "./har.ts";

/** Headers without secrets, and the cookies in them. */
export interface MaskedHeaders {
  readonly headers: readonly HarPair[];
  readonly cookies: readonly HarCookie[];
}

/** The Content-Type as a file has it. */
export function maskedType({ headers }: MaskedHeaders): string | undefined {
  return headers.find(({ name }) => name.toLowerCase() === "content-type")?.value;
}

/**
 * Masks headers for a file. Of cookies only the values are hidden, so that a replay sets the same cookies.
 */
export function maskHeadersForFile(
  list: HeaderList,
  masking: Masking,
  masker: Masker,
): MaskedHeaders {
  const cookies: HarCookie[] = [];
  const masked = maskHeaders(list, masking, false);
  const headers = list.map(([name, value], index): HarPair => {
    const kind = name.toLowerCase();
    if (kind === "cookie") {
      const pairs = value.split(/;\s*/).map((pair) => hideValue(pair, masker));
      cookies.push(...pairs.map(toPair));
      return { name, value: pairs.join("; ") };
    }
    if (kind === "set-cookie") {
      const [pair = "", ...attributes] = value.split(/;\s*/);
      const line = [hideValue(pair, masker), ...attributes.map((it) => masker.mask(it))];
      cookies.push({ ...toPair(line[0] ?? ""), ...readAttributes(line.slice(1)) });
      return { name, value: line.join("; ") };
    }
    const [shownName, shown] = masked[index] ?? [name, value];
    return { name: shownName, value: shown };
  });
  return { headers, cookies };
}

function hideValue(pair: string, masker: Masker): string {
  const { name, value } = toPair(pair);
  return `${masker.mask(name)}=${hideCredential(value, (text) => masker.mask(text))}`;
}

function toPair(pair: string): HarPair {
  const at = pair.indexOf("=");
  return at < 0
    ? { name: "", value: pair }
    : { name: pair.slice(0, at), value: pair.slice(at + 1) };
}

function readAttributes(attributes: readonly string[]): Omit<HarCookie, keyof HarPair> {
  const values = new Map(
    attributes.map(toPair).map(({ name, value }) => [(name || value).toLowerCase(), value]),
  );
  const expires = new Date(values.get("expires") ?? "");
  const text = (key: "path" | "domain" | "samesite", name: "path" | "domain" | "sameSite") => {
    const value = values.get(key);
    return value === undefined ? {} : { [name]: value };
  };
  return {
    ...text("path", "path"),
    ...text("domain", "domain"),
    ...(Number.isNaN(expires.getTime()) ? {} : { expires: expires.toISOString() }),
    httpOnly: values.has("httponly"),
    secure: values.has("secure"),
    ...text("samesite", "sameSite"),
  };
}
