/** A body of each kind that hands out secrets, what is secret in it, and what is none. */
export interface SecretBody {
  readonly kind: string;
  readonly type: string;
  readonly body: string;
  readonly secret: readonly string[];
  readonly open?: readonly string[];
  /** Secrets as they are written in the body, where no usual form of them is. */
  readonly written?: readonly string[];
}

const parts = (...pieces: readonly (readonly [headers: string, content: string])[]): string =>
  `${pieces.map(([headers, content]) => `--b0\r\n${headers}\r\n\r\n${content}\r\n`).join("")}--b0--\r\n`;
const field = (name: string): string => `Content-Disposition: form-data; name="${name}"`;
const jsonText = JSON.stringify({ token: 'Esc"aped\\Tok-1' });

export const SECRET_BODIES: readonly SecretBody[] = [
  {
    kind: "elements of XML",
    type: "application/xml",
    body: '<?xml version="1.0"?><login><access_token>Elem-Tok-1</access_token><ns:Password Type="text"> Elem&amp;Pw&#x41;2 </ns:Password><user>ada lovelace</user></login>',
    secret: ["Elem-Tok-1", "Elem&PwA2"],
    written: ["Pw&#x41;2"],
    open: ["ada lovelace"],
  },
  {
    kind: "attributes of XML",
    type: "text/xml",
    body: `<session xmlns:auth="http://example.test/auth" token="Attr-Tok-5" id='some-id-5' apiKey='Attr-Key-6'/><appSettings><add key="ApiKey" value="Attr-Val-7"/><entry key="password">Entry-Pw-8</entry></appSettings>`,
    secret: ["Attr-Tok-5", "Attr-Key-6", "Attr-Val-7", "Entry-Pw-8"],
    open: ["http://example.test/auth", "some-id-5"],
  },
  {
    kind: "broken XML",
    type: "application/xml",
    body: '<a <b "><token>Broken-Tok-9</token><token>Unended-Tok-9',
    secret: ["Broken-Tok-9", "Unended-Tok-9"],
  },
  {
    kind: "a page",
    type: "text/html; charset=utf-8",
    body: `<!doctype html><meta name="csrf-token" content="Meta-Csrf-1"><input type=hidden name=csrf_token value=Input-Csrf-2>
<input value='Turned-Csrf-3' name="authenticity_token"><input type=submit name=pass value="Log in now"><label for=password>Your pass word</label>
<body data-api-key="Data-Key-4"><script>window.state = {"sessionId": "Script-Sid-5", csrfToken: 'Script-Csrf-6'}; const apiKey = "Script-Key-7";</script><div id=password>Enter your own</div>`,
    secret: [
      "Meta-Csrf-1",
      "Input-Csrf-2",
      "Turned-Csrf-3",
      "Data-Key-4",
      "Script-Sid-5",
      "Script-Csrf-6",
      "Script-Key-7",
    ],
    open: ["Log in now", "Your pass word", "Enter your own"],
  },
  {
    kind: "YAML",
    type: "application/yaml",
    body: `# a comment
token: Yaml-Tok-1 # and why
"api_key": "Yaml\\u002dKey-2"
users:
  - name: ada lovelace
    password: 'Yaml''Pw-3'
after: not hidden
`,
    secret: ["Yaml-Tok-1", "Yaml-Key-2", "Yaml'Pw-3"],
    open: ["ada lovelace", "not hidden", "and why"],
    written: ["Yaml''Pw-3", "Yaml\\u002dKey-2"],
  },
  {
    kind: "an environment file",
    type: "text/plain",
    body: "export DB_PASSWORD=Env-Pw-1234\nAPI_KEY='Env-Key-5678'\nHOST=db.example.test\nPassword: incorrect\nAuthorization: has failed\n",
    secret: ["Env-Pw-1234", "Env-Key-5678"],
    open: ["db.example.test", "incorrect", "has failed"],
  },
  {
    kind: "TOML",
    type: "application/toml",
    body: '[server]\nhost = "example.test"\ntoken = "Toml-Tok-1"\n',
    secret: ["Toml-Tok-1"],
    open: ["example.test"],
  },
  {
    kind: "parts",
    type: "multipart/form-data; boundary=b0",
    body: parts(
      [field("password"), "Part-Pw-1"],
      [`${field("meta")}\r\nContent-Type: application/json`, '{"token": "Part-Tok-2"}'],
      [field("name"), "ada lovelace"],
      ["Content-Type: application/http", 'HTTP/1.1 200 OK\r\nX-Api-Key: Part-Key-3\r\n\r\n"x"'],
    ),
    secret: ["Part-Pw-1", "Part-Tok-2", "Part-Key-3"],
    open: ["ada lovelace"],
  },
  {
    kind: "JSON Lines",
    type: "application/x-ndjson",
    body: '{"id": 1, "token": "Line-Tok-1"}\n{"id": 2, "token": "Line-Tok-2"}\n{broken, "token": "Line-Tok-3"}\n',
    secret: ["Line-Tok-1", "Line-Tok-2", "Line-Tok-3"],
  },
  {
    kind: "an event stream",
    type: "text/event-stream",
    body: 'event: login\ndata: {"user": "ada lovelace", "access_token": "Event-Tok-1"}\n\ndata: {"data": {"session": {"sid": "Event-Sid-2"}}}\n\n',
    secret: ["Event-Tok-1", "Event-Sid-2"],
    open: ["ada lovelace"],
  },
  {
    kind: "an answer of GraphQL",
    type: "application/graphql-response+json",
    body: '{"data": {"login": {"token": "Graph-Tok-1", "user": {"name": "ada lovelace"}}}}',
    secret: ["Graph-Tok-1"],
    open: ["ada lovelace"],
  },
  {
    kind: "arguments of GraphQL",
    type: "application/json",
    body: JSON.stringify({
      query: 'mutation { login(user: "ada lovelace", password: "Graph-Pw-2") { id } }',
    }),
    secret: ["Graph-Pw-2"],
    open: ["ada lovelace"],
  },
  {
    kind: "numbers",
    type: "application/json",
    body: '{"otp": 12345678, "passcode": [87654321], "total_tokens": 150000, "auth": {"iat": 1700000001}, "pass": 1234, "port": 98765432}',
    secret: ["12345678", "87654321"],
    open: ["150000", "1700000001", "1234 ", "98765432"],
  },
  {
    kind: "what is nested below a secret name",
    type: "application/json",
    body: '{"secret": {"a": [{"b": "Nest-Sec-1"}], "type": "some-type-1"}, "next": "not hidden"}',
    secret: ["Nest-Sec-1"],
    open: ["some-type-1", "not hidden"],
  },
  {
    kind: "broken JSON",
    type: "application/json",
    body: '{"secret": "Cut-Sec-2", "next": "not hidden", "otp": 11223344, "cut',
    secret: ["Cut-Sec-2", "11223344"],
    open: ["not hidden"],
  },
  {
    kind: "JSON in a text of JSON, once and twice",
    type: "application/json",
    body: JSON.stringify({
      once: jsonText,
      twice: JSON.stringify({ inside: JSON.stringify({ pwd: "Twice-Pw-2", name: "not hidden" }) }),
    }),
    secret: ['Esc"aped\\Tok-1', "Twice-Pw-2"],
    open: ["not hidden"],
  },
  {
    kind: "names and values with escapes",
    type: "application/json",
    body: '{"acc\\u0065ss_token": "Named-T\\u006fk-1"',
    secret: ["Named-Tok-1"],
    written: ["Named-T\\u006fk-1"],
  },
  {
    kind: "a form that is called a text",
    type: "text/plain",
    body: "access_token=Form-Tok-1&scope=repo%2Cuser&token_type=bearer",
    secret: ["Form-Tok-1"],
    open: ["repo,user"],
  },
  {
    kind: "JSON that is called bytes",
    type: "application/octet-stream",
    body: ' {"token": "Octet-Tok-1"}',
    secret: ["Octet-Tok-1"],
  },
  {
    kind: "JavaScript",
    type: "text/javascript",
    body: "callback({apiKey: 'Script-Key-1', name: `not hidden`});",
    secret: ["Script-Key-1"],
    open: ["not hidden"],
  },
];
