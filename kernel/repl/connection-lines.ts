import type { ConnectionDetails, Exchange, ExchangeHop } from "../../lib/mod.ts";
import type { Runtime } from "../platform/mod.ts";

/** The request and the connection of an exchange, as lines of `-v`. Secrets are masked in the body alone, which is cut. */
export function connectionLines(
  exchange: Exchange,
  runtime: Pick<Runtime, "name" | "title">,
  mask: (text: string) => string,
): readonly string[] {
  const { request, connection, redirects, url } = exchange;
  const { pathname, search } = new URL(url);
  const last = exchange.hops.at(-1);
  const { method, headers, body } = last ?? request;
  const version = connection === undefined ? "" : " HTTP/1.1";
  const hasHost = headers.some(([name]) => name.toLowerCase() === "host");
  return [
    ...redirects.map((hop) => `* ${hop.method} ${hop.url}: ${hop.status}, to ${hop.location}`),
    ...(connection === undefined ? [whyUnknown(last, runtime)] : describe(connection)),
    `> ${method} ${pathname}${search}${version}`,
    ...headers.map(([name, value]) => `> ${name}: ${value}`),
    ...(hasHost ? [] : [`* Host and other headers that ${runtime.title} adds are not known`]),
    ...bodyLines(typeof body === "string" ? mask(body) : body),
    `< ${exchange.status} ${exchange.statusText}`.trimEnd(),
    ...[...exchange.headers].map(([name, value]) => `< ${name}: ${value}`),
    `* Total ${milliseconds(exchange.timing.total)}, headers after ${milliseconds(exchange.timing.headers)}`,
  ];
}

function whyUnknown(
  last: ExchangeHop | undefined,
  { name, title }: Pick<Runtime, "name" | "title">,
): string {
  if (last?.isReplayed) return "* Answered from a recording: nothing was sent";
  const sender =
    name === "node" ? "undici, which sends with the option http2," : `the fetch of ${title}`;
  return `* The address, TLS and the times of the connection are not known: ${sender} does not expose them`;
}

function describe({ address, isReused, tls, times }: ConnectionDetails): readonly string[] {
  const { dns, connect, tls: secured, firstByte } = times;
  const steps = [
    ["DNS", dns],
    ["connect", connect],
    ["TLS", secured],
    ["first byte", firstByte],
  ] as const;
  const known = steps.flatMap(([name, at]) =>
    at === undefined ? [] : [`${name} ${milliseconds(at)}`],
  );
  const { version, cipher, certificate } = tls ?? {};
  return [
    `* Connected to ${address}${isReused ? ", reusing the connection of an earlier request" : ""}`,
    ...(tls === undefined ? [] : [`* ${version}, ${cipher}`]),
    ...(certificate === undefined
      ? []
      : [
          `* Certificate of "${certificate.subject}" by "${certificate.issuer}", valid until ${certificate.validTo}`,
        ]),
    `* After ${known.join(", ")}`,
  ];
}

const MAX_BODY = 2_000;

function bodyLines(body: ExchangeHop["body"]): readonly string[] {
  if (body === undefined || body.length === 0) return [];
  if (typeof body !== "string") return [">", `> ${body.length} bytes`];
  const shown = body.slice(0, MAX_BODY).split("\n");
  const rest = body.length - MAX_BODY;
  return [">", ...shown.map((line) => `> ${line}`), ...(rest > 0 ? [`> … ${rest} more`] : [])];
}

function milliseconds(time: number): string {
  return `${time < 10 ? time.toFixed(1) : Math.round(time)} ms`;
}
