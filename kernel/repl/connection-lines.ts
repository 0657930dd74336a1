import type { ConnectionDetails, Exchange, ExchangeHop } from "../../lib/mod.ts";

/** The request and the connection of an exchange, as lines of `-v`. Secrets are masked in the body alone, which is cut. */
export function connectionLines(
  exchange: Exchange,
  mask: (text: string) => string,
): readonly string[] {
  const { request, connection, redirects, url, timing } = exchange;
  const { pathname, search } = new URL(url);
  const last = exchange.hops.at(-1);
  const { method, headers, body } = last ?? request;
  const { httpVersion, informational = [], trailers = [] } = connection ?? {};
  const version = httpVersion === undefined ? "" : `HTTP/${httpVersion}`;
  const hasHost = headers.some(([name]) => name.toLowerCase() === "host");
  return [
    ...redirects.map((hop) => `* ${hop.method} ${hop.url}: ${hop.status}, to ${hop.location}`),
    ...(connection === undefined ? [whyUnknown(last)] : describe(connection)),
    `> ${method} ${pathname}${search} ${version}`.trimEnd(),
    ...headers.map(([name, value]) => `> ${name}: ${value}`),
    ...(hasHost
      ? []
      : ["* Host and other headers that the fetch of this client adds are not known"]),
    ...bodyLines(typeof body === "string" ? mask(body) : body),
    ...[
      ...informational,
      { ...exchange, headers: connection?.headers ?? exchange.headers },
    ].flatMap(({ status, statusText, headers }) => [
      `< ${version} ${status} ${statusText}`.replace(/^< {2}/, "< ").trimEnd(),
      ...fieldLines(headers),
    ]),
    ...(trailers.length === 0 ? [] : ["* Behind the body:", ...fieldLines(trailers)]),
    `* Total ${milliseconds(timing.total)}, headers after ${milliseconds(timing.headers)}, body in ${milliseconds(timing.total - timing.headers)}`,
  ];
}

function fieldLines(fields: Iterable<readonly [name: string, value: string]>): readonly string[] {
  return [...fields].map(([name, value]) => `< ${name}: ${value}`);
}

function whyUnknown(last: ExchangeHop | undefined): string {
  if (last?.isReplayed) return "* Answered from a recording or a mock: nothing was sent";
  return "* The address, TLS and the times of the connection are not known: the fetch of this client does not expose them";
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
