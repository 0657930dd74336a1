import { CURL_OPTIONS, HTTPIE_ITEMS, writeOption } from "../../lib/curl/mod.ts";
import type { RequestWords } from "../repl/mod.ts";

/** The lines of the options of every command that runs documents. */
const DOCUMENT_OPTIONS = `      --var NAME=VALUE    set a variable, before lines of FILE; JSON is JSON, anything else is text
      --env NAME          use this environment of the files in the folder of each FILE
      --seed TEXT         repeat the generated values of this seed
      --now TIME          the time of generated dates, signatures and --demo, such as 2026-01-31T12:00:00Z
      --demo              start the embedded users API on a free port and set "base" to it
      --timeout SECONDS   time limit of each request (default: 30) and each cell (none)
      --record FILE       record all requests and answers to this HAR file, without secrets
      --replay FILE       answer the requests from this HAR file, without a network
      --record-missing    send the requests that --replay does not have, and add them to it`;

/** The text of `restlab --help`. */
export const PROGRAM_HELP = `restlab: a lab notebook for HTTP APIs

Usage:
  restlab [options]       open a prompt; .help there lists its commands and keys
  restlab -e TEXT         send a request or run TypeScript, and exit; standard input works as well
  restlab GET URL         send a request, with -H, -d, -F, -u, -o and other options of curl
  restlab http URL ITEM...
                          send a request in HTTPie syntax: name=Ada age:=3 X-Id:7 q==text
  restlab curl ...        send the request of a curl command
  restlab run FILE...     run notebooks (.ipynb) and request files (.http)
  restlab test FILE...    run their assertions and report the results
  restlab verify FILE...  run such files, and compare each response with the saved one
  restlab install         install the kernel for Jupyter (and uninstall)
  restlab check FILE...   check such files for faults without sending anything
  restlab secrets [FILE...]
                          list the secrets that files name by references such as op://vault/item/field
  restlab import SOURCE   write documents for those of OpenAPI, Postman, Bruno, HAR and others
  restlab demo            serve the embedded users API on this machine
  restlab completions SHELL
                          print the completions of bash, zsh or fish
  restlab help COMMAND    show the help of a command, or of GET, curl and http

Options:
  -e, --eval TEXT         run this text; can be repeated
      --body              write only bodies, byte for byte
      --headers           write only statuses and headers
      --json              write each result as one line of JSON
  -q, --quiet             write no results
  -v, --verbose           write what was sent, and the connection, to standard error
      --pretty STYLE      JSON of --body: none, format (indented), colors or all (a terminal's default)
      --check-status      exit with 3, 4 or 5 for a status of 3xx, 4xx or 5xx
      --var NAME=VALUE    set a variable; JSON values are JSON, anything else is text
      --env NAME          use this environment of the files in the working folder
      --seed TEXT         repeat the generated values of this seed
      --now TIME          the time of generated dates, signatures and --demo, such as 2026-01-31T12:00:00Z
      --demo              start the embedded users API on a free port and set "base" to it
      --timeout SECONDS   time limit of each request (default: 30)
      --record FILE       record all requests and answers to this HAR file, without secrets
      --replay FILE       answer the requests from this HAR file, without a network
      --record-missing    send the requests that --replay does not have, and add them to it
  -h, --help              print this text
  -V, --version           print the version

Exit status of -e and standard input: 0 success, 1 an entry failed, 2 usage error.`;

/** The options of curl, but for those that are restlab's before a request that is not a curl command. */
function curlOptions(isCurl: boolean): string {
  const lines = CURL_OPTIONS.map((option) => {
    const { long, about } = option;
    const short = isCurl || long !== "referer" ? option.short : undefined;
    const head = `  ${writeOption({ ...option, short })}`;
    return `${head.length > 24 ? `${head}\n`.padEnd(head.length + 27) : head.padEnd(26)}${about}`;
  });
  return [`Options, as curl has them (${OWN_OPTIONS}):`, ...lines].join("\n");
}

const OWN_OPTIONS = '"restlab help" lists those of restlab, which may stand anywhere';

/** The texts of `--help` of a request on the command line. */
const REQUESTS: Readonly<Record<RequestWords["kind"], string>> = {
  request: `Usage: restlab [METHOD] URL [options]

Sends a request, GET by default, and shows the answer. :8787/users is on localhost, {{base}}/users begins with
a variable, and /users is below {{base}}. Redirects are followed, and brackets are part of the URL.
--json before JSON is that of curl; -e, -v and --json alone are options of restlab here.

${curlOptions(false)}`,
  curl: `Usage: restlab curl [options] URL

Sends the request of a curl command and shows the answer.

${curlOptions(true)}`,
  http: httpieHelp("http"),
  https: httpieHelp("https"),
};

function httpieHelp(name: string): string {
  return `Usage: restlab ${name} [METHOD] URL [ITEM...]

Sends a request in HTTPie syntax and shows the answer. Without a METHOD it is a POST if it has a body, else a
GET. :8787/users is on localhost.

Items:
${HTTPIE_ITEMS.map(([item, about]) => `  ${item.padEnd(23)} ${about}`).join("\n")}

Options, as HTTPie has them (${OWN_OPTIONS}):
  -j, --json              the items are JSON (default)
  -f, --form              the items are a form
      --multipart         the items are a multipart form
      --raw TEXT          the body
  -a, --auth NAME:PASSWORD
                          the credentials, or a token
  -A, --auth-type TYPE    basic (default), digest or bearer
  -F, --follow            follow redirects
      --max-redirects N   how many
  -b, --body              write only the body
  -h, --headers           write only the status and the headers
  -o, --output FILE       save the body to FILE
      --verify FILE       trust the certificates in FILE; no accepts any
      --cert FILE         the certificate of the client
      --cert-key FILE     its key
      --proxy URL         the proxy`;
}

/** The name of a command. */
export type CommandName =
  | "run"
  | "test"
  | "verify"
  | "check"
  | "secrets"
  | "import"
  | "demo"
  | "install"
  | "uninstall"
  | "completions"
  | "kernel";

/** The texts of `--help` by command. */
const COMMANDS: Readonly<Record<CommandName, string>> = {
  run: `Usage: restlab run [options] FILE...

Runs notebooks (.ipynb) and request files (.http, .rest) in order, each in a session of its own, and
shows the output of each cell. A folder stands for all such files in it and below it. Stops at the first
cell that fails. At the end of a file, waits for requests that no cell awaits; an error that nothing
catches is a failure of the cell that caused it.

Options:
  -o, --output FILE       write a notebook (.ipynb) with the outputs; a folder for several files,
                          - for standard output
      --stable            leave times and dates out of --output
${DOCUMENT_OPTIONS}
  -k, --keep-going        continue after a cell that failed
  -b, --brief             print one line per request
      --json              write each result as one line of JSON
      --check-status      exit with 3, 4 or 5 for a status of 3xx, 4xx or 5xx
  -i, --interactive       on a terminal, open a prompt with the session afterwards

--timeout also ends a cell that never stops computing. On Deno and Bun it ends loops of the cell and
code before its first await; other code that computes after that ends the process (status 137). With
--output, the outputs so far are saved at Ctrl-C, at SIGTERM and before each TypeScript cell.

Exit status: 0 success, 1 a cell failed or a request that no cell awaits took too long, 2 usage error
or a file that cannot be read or written, 130 Ctrl-C, 143 SIGTERM; process.exit(n) in a cell: n.`,

  test: `Usage: restlab test [options] FILE...

Runs notebooks (.ipynb) and request files (.http, .rest) as "restlab run" does, and reports which requests
failed. FILE is a file, a folder, a glob, or a place: api.http:12 (line 12), tour.ipynb:3 (cell 3). Continues
after a failure. Variable lines of requests that are not selected are set all the same.

Selection:
  -n, --name NAME         the requests of this name (# @name, ### title); can be repeated
  -g, --grep REGEX        those whose name matches; can be repeated
  -t, --tag TAG           those with this tag (# @tag smoke, a tag of a cell); can be repeated
      --shard I/N         the I-th of N parts, so that N machines share the files

Run:
      --bail              stop at the first failure
      --pass-with-no-tests
                          exit with 0 even if nothing was run
  -p, --parallel N        run N files at the same time (default: 1)
      --retry N           run a request or cell that fails up to N more times
      --retry-delay SECONDS
                          wait before each of them (default: 0)
  -d, --data FILE         run once for each row of this .csv, .json or .jsonl file, with its columns as
                          variables
  -w, --watch             run again when a file changes, or an environment file or import of it
${DOCUMENT_OPTIONS}

Reports:
  -r, --report FORMAT=FILE
                          write junit, json (CTRF), html, tap or github (annotations); without =FILE to
                          standard output; several are separated by commas

Exit status: 0 all passed, 1 a check failed, 2 usage error or a file that cannot be read or written,
3 a request got no answer, 130 Ctrl-C, 143 SIGTERM; process.exit(n) in a cell: n.`,

  verify: `Usage: restlab verify [options] FILE...

Runs notebooks (.ipynb) and request files (.http, .rest) as "restlab run" does, and compares each response
with what the saved outputs promise, or a recording: the status, the media type and the shape of JSON
(types, members, formats). Lines "# @verify exact" (or status, off) and "# @ignore $.items[*].at" above a
request change what is compared; so do metadata and tags of a cell.

Verdicts: same; compatible (only new members); drifted (another status, media type or type, or a member
that is gone); broken (no response); skipped (# @verify off).

Options:
      --baseline FILE     compare with the responses of this HAR file, not with the saved outputs
      --openapi FILE      compare with this OpenAPI description (3.0, 3.1; JSON or YAML; a file or a URL) as
                          well, and list what of it no request has covered
      --strict            fail for compatible differences as well
      --update            write the new outputs into the notebooks, unless a cell fails
      --stable            leave times and dates out of what --update writes
  -r, --report FORMAT=FILE
                          write json or junit; without =FILE to standard output; can be repeated
${DOCUMENT_OPTIONS}

Exit status: 0 all as promised, 1 drifted or broken, or a cell failed, 2 usage error or a file that cannot
be read or written, 130 Ctrl-C, 143 SIGTERM; process.exit(n) in a cell: n.`,

  check: `Usage: restlab check [options] FILE...

Checks the requests of notebooks (.ipynb) and request files (.http, .rest) without sending them: syntax,
unknown names, URLs, headers, bodies, missing files. A folder stands for all such files in it and below
it. Each fault is a line "file:line:column: message", in a notebook "file:cell 2:line:column: message".

Options:
      --var NAME=VALUE    assume that this variable is set
      --env NAME          use this environment of the files in the folder of each FILE
      --json              write the faults as one line of JSON

Exit status: 0 no faults, 1 faults, 2 usage error or a file that cannot be read.`,

  secrets: `Usage: restlab secrets [options] [FILE...]

Lists the variables that name a secret by a reference such as op://vault/item/field, of the environments of the
working folder or of each FILE, and of its lines: where each is set, and the program that fetches it. Nothing
is fetched without --test.

Options:
      --test NAME         fetch the secret of this variable, and say how long it is
      --var NAME=VALUE    set a variable; JSON values are JSON, anything else is text
      --env NAME          use this environment of the files in the folder

Exit status: 0 success, 1 the secret cannot be fetched, 2 usage error or a file that cannot be read.`,

  import: `Usage: restlab import [options] SOURCE...

Writes documents of restlab for those of other tools: OpenAPI and Swagger, Postman, Bruno, Insomnia, Hurl, HAR,
scripts of curl commands, fetch and PowerShell as browsers copy them, .http files and notebooks. SOURCE is a
file, a folder, a URL, or - for standard input. Several sources become one document; environments of Postman
are for its requests. Nothing is sent or executed. Importing into the same TARGET again brings what is new, and
keeps what a person changed.

Options:
  -o, --output TARGET     a notebook (.ipynb), a file of requests (.http), or a folder, which gets a notebook
                          for each folder or tag and a table of contents (default: a notebook with the name
                          of the source)
      --from KIND         the format, if the content does not show it: openapi, postman, bruno, insomnia,
                          hurl, har, curl, fetch, powershell, http or notebook
      --all               keep static files and repeated requests of a HAR file
      --force             replace files that exist, also what a person wrote
      --dry-run           write nothing, and report what would change
      --strict            exit with 1 if something of a source is left out

Environments are written to http-client.env.json beside TARGET, secrets to http-client.private.env.json, which
.gitignore then names. Variables that are there already keep their values without --force.

Exit status: 0 success, 1 something is left out and --strict is given, 2 usage error or a source that cannot be
read; nothing is written then.`,

  demo: `Usage: restlab demo [options]

Serves the embedded users API until Ctrl-C. Its data is in memory.

Options:
  -p, --port PORT         the port (default: 8787; 0 takes a free one)
      --host HOST         the address to listen on (default: 127.0.0.1)`,

  install: `Usage: restlab install [options]

Installs restlab as a kernel of Jupyter (Notebook, JupyterLab, VS Code, console).

Options:
      --user              for the current user (default)
      --sys-prefix        into the active Python environment
      --prefix DIR        into DIR/share/jupyter
      --name NAME         the kernel's name (default: restlab, restlab-deno, restlab-bun)
      --display-name TEXT the name in the launcher
      --runtime RUNTIME   node, deno or bun (default: the one that runs this command)
      --force             replace the kernel of another program with this name`,

  uninstall: `Usage: restlab uninstall [options]

Removes the kernel that "restlab install" installed with the same options.

Options:
      --user, --sys-prefix, --prefix DIR, --name NAME, --runtime RUNTIME   as for install`,

  completions: `Usage: restlab completions bash|zsh|fish

Prints the completions of a shell, for its start file:

  bash    source <(restlab completions bash)
  zsh     source <(restlab completions zsh)
  fish    restlab completions fish | source`,

  kernel: `Usage: restlab kernel --connection-file FILE

Runs the kernel. Jupyter runs this command itself after "restlab install".

Options:
  -f, --connection-file FILE   the connection file, which the front end writes`,
};

/** The names of all commands. */
export const COMMAND_NAMES = Object.keys(COMMANDS) as readonly CommandName[];

/** The methods that a command line may begin with. */
export const METHODS: readonly string[] = "GET POST PUT PATCH DELETE HEAD OPTIONS QUERY".split(" ");

/**
 * Finds the text of `--help` for a command or a request.
 *
 * @param name A command, a method, `curl`, `http` or `https`, or none for `restlab` itself.
 * @returns `undefined` if there is none of that name.
 */
export function helpOf(name: string | undefined): string | undefined {
  if (name === undefined) return PROGRAM_HELP;
  if (METHODS.includes(name.toUpperCase())) return REQUESTS.request;
  const texts: Readonly<Record<string, string>> = { ...REQUESTS, ...COMMANDS };
  return Object.hasOwn(texts, name) ? texts[name] : undefined;
}
