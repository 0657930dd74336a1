import type { Exchange, HeaderList } from "../../exchange/mod.ts";
import { type Block, type Cell, HIDDEN, shortCell, type ViewContext } from "../blocks/mod.ts";

const COLUMNS = ["cookie", "value", "", "attributes"];

/** Displays the cookies that were sent, and those that the answer sets; nothing if there are none. */
export function viewCookies({ request, headers }: Exchange, context: ViewContext): Block[] {
  const sent = valuesOf(request.headers, "cookie").flatMap((value) => value.split(/;\s*/));
  const cookies = [
    ...sent.filter((pair) => pair !== "").map((pair) => ({ pair, how: "sent", attributes: "" })),
    ...valuesOf([...headers], "set-cookie").map(parseSetCookie),
  ];
  if (cookies.length === 0) return [];
  const rows = cookies.slice(0, context.limits.fields).map((cookie) => toRow(cookie, context));
  const total = cookies.length;
  const table: Block = {
    kind: "table",
    columns: COLUMNS,
    rows,
    total,
    totalColumns: COLUMNS.length,
  };
  return [{ kind: "fold", title: `Cookies (${total})`, blocks: [table], isExtra: true }];
}

interface ShownCookie {
  readonly pair: string;
  readonly how: string;
  readonly attributes: string;
}

function parseSetCookie(line: string): ShownCookie {
  const [pair = "", ...attributes] = line.split(/;\s*/);
  return { pair, how: "received", attributes: attributes.join("; ") };
}

function toRow({ pair, how, attributes }: ShownCookie, context: ViewContext): Cell[] {
  const { limits, redact, showsSecrets } = context;
  const at = pair.indexOf("=");
  const value = redact(pair.slice(at + 1));
  // A cookie is a credential, as its header is.
  const isShown = showsSecrets || value === "" || /^\{\{[^{}]*\}\}$/.test(value);
  return [
    at < 0 ? "" : redact(pair.slice(0, at)),
    isShown ? value : HIDDEN,
    how,
    redact(attributes),
  ].map((text) => shortCell("text", text, limits.cell));
}

function valuesOf(headers: HeaderList, wanted: string): string[] {
  // A hostile name may have megabytes, and a view is rendered many times until it fits.
  const isWanted = (name: string): boolean =>
    name.length === wanted.length && name.toLowerCase() === wanted;
  return headers.filter(([name]) => isWanted(name)).map(([, value]) => value);
}
