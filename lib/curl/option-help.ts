/** An option of curl that people write often, as help and completion show it. */
interface OptionHelp {
  readonly short?: string;
  readonly long: string;
  /** What its value is called; absent without one. */
  readonly value?: string;
  readonly about: string;
}

/** The options that people write most, the most used first within what they are about. */
export const CURL_OPTIONS: readonly OptionHelp[] = [
  { short: "X", long: "request", value: "METHOD", about: "the method" },
  { short: "H", long: "header", value: "LINE", about: "a header, such as 'Accept: text/html'" },
  {
    short: "d",
    long: "data",
    value: "TEXT",
    about: "the body, a form without another Content-Type; @FILE for a file, @- for standard input",
  },
  { long: "data-raw", value: "TEXT", about: "the same, without @FILE" },
  { long: "data-binary", value: "TEXT", about: "the same, with its line breaks" },
  { long: "data-urlencode", value: "NAME=TEXT", about: "a field of a form, encoded" },
  {
    long: "json",
    value: "TEXT",
    about: "JSON as the body, with its headers; @FILE and @- as for -d",
  },
  {
    short: "F",
    long: "form",
    value: "NAME=TEXT",
    about: "a field of a multipart form; NAME=@FILE for a file",
  },
  { short: "T", long: "upload-file", value: "FILE", about: "the body, sent by PUT" },
  { short: "G", long: "get", about: "send the data in the URL" },
  { long: "url-query", value: "NAME=TEXT", about: "a parameter of the URL" },
  { short: "I", long: "head", about: "send HEAD" },
  {
    short: "u",
    long: "user",
    value: "NAME:PASSWORD",
    about: "Basic credentials, or those of --digest",
  },
  { long: "oauth2-bearer", value: "TOKEN", about: "a bearer token" },
  { short: "b", long: "cookie", value: "NAME=TEXT", about: "a cookie; a FILE of cookies" },
  { short: "c", long: "cookie-jar", value: "FILE", about: "save the cookies to FILE" },
  { short: "A", long: "user-agent", value: "TEXT", about: "the User-Agent" },
  { short: "e", long: "referer", value: "URL", about: "the Referer" },
  { short: "r", long: "range", value: "RANGE", about: "a part, such as 0-99" },
  { short: "L", long: "location", about: "follow redirects" },
  { long: "max-redirs", value: "N", about: "how many redirects to follow" },
  { short: "m", long: "max-time", value: "SECONDS", about: "the time limit" },
  { long: "retry", value: "N", about: "how many times to try again" },
  { short: "o", long: "output", value: "FILE", about: "save the body to FILE" },
  { short: "O", long: "remote-name", about: "save it to a file named as in the URL" },
  { short: "C", long: "continue-at", value: "-", about: "continue a file that is there in part" },
  { short: "f", long: "fail", about: "fail from a status of 400 on" },
  {
    short: "w",
    long: "write-out",
    value: "FORMAT",
    about:
      "write this behind the answer: '%{http_code} %{time_total}\\n'; @FILE; with -o in place of it",
  },
  { long: "unix-socket", value: "FILE", about: "send to this socket" },
  { short: "k", long: "insecure", about: "accept any certificate" },
  { long: "cacert", value: "FILE", about: "trust the certificates in FILE" },
  { short: "E", long: "cert", value: "FILE", about: "the certificate of the client" },
  { long: "key", value: "FILE", about: "its key" },
  { short: "x", long: "proxy", value: "URL", about: "the proxy" },
  { long: "noproxy", value: "HOSTS", about: "the hosts that it is not for" },
];

/** An option as help lists it: `-X, --request METHOD`. */
export function writeOption({ short, long, value = "" }: Omit<OptionHelp, "about">): string {
  return `${short === undefined ? "   " : `-${short},`} --${long} ${value}`.trimEnd();
}

/** The request items of HTTPie, as help shows them. */
export const HTTPIE_ITEMS: readonly (readonly [item: string, about: string])[] = [
  ["name=text", "a member of the JSON body, or a field of a form"],
  ["name:=json", "a member that is not text: age:=3 tags:='[\"a\"]'"],
  ["user[name]=text", "a member of a member; list[]=text is added to a list"],
  ["name=@FILE, name:=@FILE", "the same, from a file"],
  ["name@FILE", "a file of a multipart form; @FILE alone is the whole body"],
  ["Name:text", "a header; Name: removes it, Name; is empty"],
  ["name==text", "a parameter of the URL"],
];
