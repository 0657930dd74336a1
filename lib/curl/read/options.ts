/** How an option is handled. */
type OptionKind =
  /** It changes the request; EFFECTS has its effect. */
  | "used"
  /** It changes what curl prints or how it connects, but not what is sent. */
  | "ignored"
  /** It would change what is sent and is not supported. */
  | "refused";

/** An option of curl. */
export interface Option {
  readonly name: string;
  readonly takesValue: boolean;
  readonly kind: OptionKind;
}

/** `short:name`, or `name`; with `=` if the option takes a value. */
const TABLE: readonly (readonly [OptionKind, string])[] = [
  [
    "used",
    "X:request= H:header= d:data= data-ascii= data-raw= data-binary= data-urlencode= json= F:form= " +
      "form-string= u:user= b:cookie= A:user-agent= e:referer= I:head L:location G:get T:upload-file= " +
      "url= url-query= r:range= g:globoff m:max-time= retry= o:output= O:remote-name oauth2-bearer= compressed " +
      "basic digest aws-sigv4= max-redirs= k:insecure x:proxy= U:proxy-user= noproxy= E:cert= cert-type= key= key-type= " +
      "pass= cacert=",
  ],
  [
    "ignored",
    "s:silent S:show-error v:verbose i:include show-headers #:progress-bar no-progress-meter N:no-buffer " +
      "f:fail fail-with-body fail-early w:write-out= trace= trace-ascii= trace-time stderr= D:dump-header= " +
      "c:cookie-jar= 0:http1.0 http1.1 http2 http2-prior-knowledge http3 4:ipv4 6:ipv6 tcp-nodelay " +
      "tcp-fastopen keepalive-time= no-keepalive connect-timeout= retry-delay= retry-max-time= " +
      "retry-connrefused retry-all-errors q:disable create-dirs R:remote-time limit-rate= " +
      "speed-time= y:speed-limit= Y:speed-time= styled-output no-styled-output raw tlsv1.2 tlsv1.3 " +
      "1:tlsv1 ssl-reqd no-alpn no-sessionid",
  ],
  [
    "refused",
    "socks5= socks5-hostname= socks4= socks4a= p:proxytunnel preproxy= proxy-header= proxy-insecure proxy-cacert= " +
      "proxy-cert= proxy-digest proxy-ntlm proxy-basic capath= ntlm negotiate anyauth n:netrc netrc-file= " +
      "netrc-optional K:config= resolve= connect-to= unix-socket= abstract-unix-socket= interface= path-as-is " +
      "location-trusted post301 post302 post303 request-target= ::next J:remote-header-name remote-name-all " +
      "z:time-cond= C:continue-at= tr-encoding ignore-content-length proto= proto-default= Z:parallel " +
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
export function findOption(spelling: string): Option | undefined {
  return OPTIONS.get(spelling);
}

/** All long options, for hints. */
export function longOptions(): readonly string[] {
  return [...OPTIONS.keys()].filter((name) => name.startsWith("--"));
}
