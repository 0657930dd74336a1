import { nearNames } from "../interpolation/mod.ts";
import { hasBytes } from "./bytes.ts";
import { emptyState, type State } from "./command.ts";
import { refuseBytes } from "./data.ts";
import { EFFECTS } from "./effects.ts";
import { FETCH, parseFetch } from "./fetch-call.ts";
import { HTTPIE, parseHttpie } from "./httpie.ts";
import { PIPED, readPiped } from "./piped.ts";
import { POWERSHELL, parsePowerShell } from "./powershell.ts";
import { commandStart, type ParsedCurl, withoutFaults } from "./reader.ts";
import { toCommand } from "./to-command.ts";
import { type Report, splitWords, type Word } from "./words.ts";

const CURL = new RegExp(
  String.raw`^\s*(?:\$\s+)?(?:${PIPED})?curl(?:\.exe)?(?=\s+(?:\^?["'$]|\\?\r?$|[-\w{[]|\^$|\\$))`,
  "i",
);

/** Whether a line begins a curl command, possibly after its standard input. */
export function startsAsCurl(line: string): boolean {
  return CURL.test(line);
}

const COMMAND = new RegExp(`${CURL.source}|${POWERSHELL.source}`, "i");
const WITH_FETCH = new RegExp(`${COMMAND.source}|${FETCH.source}`, "i");

/**
 * Whether a line begins a command that is a request: of curl, of HTTPie, or of PowerShell as browsers copy it.
 *
 * @param isRequestText Whether it cannot be TypeScript, so that a call of `fetch` is one as well.
 */
export function startsAsCommand(line: string, isRequestText = false): boolean {
  return (isRequestText ? WITH_FETCH : COMMAND).test(line) || HTTPIE.test(line);
}

/** Parses a command that a line begins, or a call of `fetch`. */
export function parseCommand(
  source: string,
  start: number,
  line: string,
  report: Report,
): ParsedCurl {
  if (FETCH.test(line)) return parseFetch(source, start, report);
  if (HTTPIE.test(line)) return parseHttpie(source, start, report);
  if (POWERSHELL.test(line)) return parsePowerShell(source, start, report);
  return parseCurl(source, start, report);
}

/**
 * Parses a curl command, as people write it and as browsers copy it. An option that is not supported and would
 * change what is sent is a fault; with a fault there is no command.
 *
 * @param source The text.
 * @param start The offset of the command.
 * @param onFault Called with each fault.
 */
export function parseCurl(source: string, start: number, onFault: Report): ParsedCurl {
  return withoutFaults(onFault, (report) => {
    const begin = commandStart(source, start);
    const piped = readPiped(source, begin, report);
    const { words, next } = splitWords(source, piped.next, report);
    const state = readOptions(words.slice(1), piped.input, report);
    const span = { start: begin, end: words.at(-1)?.span.end ?? begin };
    return { command: toCommand(state, span, report), next };
  });
}

/** Whether an argument of curl is an option whose value is the next argument. */
export function takesNextWord(word: string): boolean {
  if (!/^-./.test(word)) return false;
  const last = [...spellingsOf(word)].at(-1);
  return last?.value === undefined && findOption(last?.spelling ?? "")?.takesValue === true;
}

function readOptions(words: readonly Word[], input: string | undefined, report: Report): State {
  const state = emptyState(input);
  for (let index = 0; index < words.length; index++) {
    const word = words[index] as Word;
    if (!/^-./.test(word.text)) {
      if (hasBytes(word.text)) refuseBytes(word, report);
      state.urls.push(word);
      continue;
    }
    for (const { spelling, value } of spellingsOf(word.text)) {
      const option = findOption(spelling) ?? negated(spelling);
      if (option === undefined) {
        report(word.span, `Unknown curl option "${spelling}"`, hintFor(spelling));
        continue;
      }
      let argument = value;
      let place = word;
      if (option.takesValue && argument === undefined) {
        index += 1;
        const following = words[index];
        if (following === undefined) {
          report(word.span, `The option "${spelling}" has no value`, "Write one after it");
          break;
        }
        argument = following.text;
        place = following;
      }
      if (hasBytes(argument ?? "") && !HAS_DATA.test(option.name)) refuseBytes(place, report);
      else if (option.kind === "refused") {
        const hint = HINTS[option.name] ?? "Remove it if the request does not need it";
        report(word.span, `The option "${spelling}" is not supported`, hint);
      } else if (option.kind === "used") {
        EFFECTS[option.name]?.(state, argument ?? "", place, report);
      }
    }
  }
  return state;
}

/** Options for the body, which may be any bytes. */
const HAS_DATA = /^(?:data|json|form)(?:-|$)/;

const HINTS: Readonly<Record<string, string>> = {
  next: "Write two commands with a line ### between them",
  resolve:
    "Write the address in the URL; the certificate is always checked against the host of the URL",
  "connect-to": "Write the address in the URL",
  netrc: "Write the credentials after -u",
  config: "Write its options in the command",
  anyauth: "Use --basic or --digest, as the server requires",
  socks5: "Use an HTTP proxy with -x",
  "socks5-hostname": "Use an HTTP proxy with -x",
  socks4: "Use an HTTP proxy with -x",
};

/** `--no-silent` and the like, for options of kind `ignored`. */
function negated(spelling: string): ReturnType<typeof findOption> {
  const option = spelling.startsWith("--no-") ? findOption(`--${spelling.slice(5)}`) : undefined;
  return option?.takesValue || option?.kind !== "ignored" ? undefined : option;
}

interface Spelling {
  readonly spelling: string;
  readonly value?: string;
}

/** Splits `-sS` into two options and `-XPOST` into an option and its value. */
function* spellingsOf(text: string): Generator<Spelling> {
  if (text.startsWith("--")) {
    yield { spelling: text };
    return;
  }
  for (let at = 1; at < text.length; at++) {
    const spelling = `-${text[at]}`;
    const takesValue = findOption(spelling)?.takesValue === true;
    const rest = text.slice(at + 1);
    yield takesValue && rest !== "" ? { spelling, value: rest } : { spelling };
    if (takesValue) return;
  }
}

function hintFor(spelling: string): string {
  const [near] = spelling.startsWith("--") ? nearNames(spelling, longOptions(), 1) : [];
  return near === undefined ? "Remove it, or write the request as text" : `Did you mean ${near}?`;
}

/** How an option is handled. */
type OptionKind =
  /** It changes the request; EFFECTS has its effect. */
  | "used"
  /** It changes what curl prints or how it connects, but not what is sent. */
  | "ignored"
  /** It would change what is sent and is not supported. */
  | "refused";

/** An option of curl. */
interface Option {
  readonly name: string;
  readonly takesValue: boolean;
  readonly kind: OptionKind;
}

/** `short:name`, or `name`; with `=` if the option takes a value. */
const TABLE: readonly (readonly [OptionKind, string])[] = [
  [
    "used",
    "X:request= H:header= d:data= data-ascii= data-raw= data-binary= data-urlencode= json= F:form= " +
      "form-string= u:user= b:cookie= c:cookie-jar= A:user-agent= e:referer= I:head L:location G:get T:upload-file= " +
      "url= url-query= r:range= g:globoff m:max-time= retry= o:output= O:remote-name oauth2-bearer= compressed " +
      "basic digest aws-sigv4= max-redirs= k:insecure x:proxy= U:proxy-user= noproxy= E:cert= cert-type= key= key-type= " +
      "pass= cacert= unix-socket= C:continue-at= f:fail fail-with-body path-as-is " +
      "http2 http2-prior-knowledge w:write-out=",
  ],
  [
    "ignored",
    "s:silent S:show-error v:verbose i:include show-headers #:progress-bar no-progress-meter N:no-buffer " +
      "fail-early trace= trace-ascii= trace-time stderr= D:dump-header= " +
      "0:http1.0 http1.1 http3 4:ipv4 6:ipv6 tcp-nodelay " +
      "tcp-fastopen keepalive-time= no-keepalive connect-timeout= retry-delay= retry-max-time= " +
      "retry-connrefused retry-all-errors q:disable create-dirs R:remote-time limit-rate= " +
      "speed-time= y:speed-limit= Y:speed-time= styled-output no-styled-output raw tlsv1.2 tlsv1.3 " +
      "1:tlsv1 ssl-reqd no-alpn no-sessionid",
  ],
  [
    "refused",
    "socks5= socks5-hostname= socks4= socks4a= p:proxytunnel preproxy= proxy-header= proxy-insecure proxy-cacert= " +
      "proxy-cert= proxy-digest proxy-ntlm proxy-basic capath= ntlm negotiate anyauth n:netrc netrc-file= " +
      "netrc-optional K:config= resolve= connect-to= abstract-unix-socket= interface= " +
      "location-trusted post301 post302 post303 request-target= ::next J:remote-header-name remote-name-all " +
      "z:time-cond= tr-encoding ignore-content-length proto= proto-default= Z:parallel " +
      "a:append Q:quote= t:telnet-option= form-escape expect100-timeout= haproxy-protocol max-filesize= " +
      "ciphers= tls-max= dns-servers= doh-url= local-port= etag-save= etag-compare= krb= mail-from= variable= expand-url=",
  ],
];

const OPTIONS: ReadonlyMap<string, Option> = new Map(
  TABLE.flatMap(([kind, text]) =>
    text.split(" ").flatMap((entry): [string, Option][] => {
      const takesValue = entry.endsWith("=");
      const plain = takesValue ? entry.slice(0, -1) : entry;
      const short = plain[1] === ":" ? plain[0] : undefined;
      const name = short === undefined ? plain : plain.slice(2);
      const option = { name, takesValue, kind };
      const long: [string, Option] = [`--${name}`, option];
      return short === undefined ? [long] : [long, [`-${short}`, option]];
    }),
  ),
);

/** Finds an option by its long or short spelling with dashes. */
function findOption(spelling: string): Option | undefined {
  return OPTIONS.get(spelling);
}

/** All long options, for hints. */
function longOptions(): readonly string[] {
  return [...OPTIONS.keys()].filter((name) => name.startsWith("--"));
}
