/** What `--help` prints, by command; the empty name is the command itself. */
export const HELP: Readonly<Record<string, string>> = {
  "": `restlab: a lab notebook for HTTP APIs

Usage:
  restlab [options]       open a prompt; .help there lists its commands and keys
  restlab -e TEXT         send a request or run TypeScript, and leave; standard input does as well
  restlab run FILE...     run notebooks (.ipynb) and request files (.http)
  restlab install         install the kernel for Jupyter (and uninstall)
  restlab check FILE...   look for faults in such files, without sending anything
  restlab demo            serve the embedded users API on this machine
  restlab help COMMAND    say more about a command

Options:
  -e, --eval TEXT         run this text; may be given again
      --body              write bodies alone, byte for byte
      --headers           write statuses and headers alone
      --json              write each result as one line of JSON
  -q, --quiet             write no results
      --check-status      exit with 3, 4 or 5 for answers of 3xx, 4xx or 5xx
      --var NAME=VALUE    set a variable first; JSON values are JSON, anything else is text
      --env NAME          use this environment of the files in the working folder
      --seed TEXT         make generated values repeat
      --demo              start the embedded users API on a free port and set "base" to it
      --timeout SECONDS   limit of each request (30 if not given)
  -h, --help              print this text
  -V, --version           print the version

Exit status of -e and standard input: 0 all was run, 1 something failed, 2 wrong usage.`,

  run: `Usage: restlab run [options] FILE...

Runs notebooks (.ipynb) and request files (.http, .rest) in order, each in a session of its own,
and shows every cell's answer. Stops at the first cell that fails. Requests that no cell awaits are
waited for at the end of each file; what a cell leaves behind and nobody catches is its failure.

Options:
      --var NAME=VALUE    set a variable first; JSON values are JSON, anything else is text
      --env NAME          use this environment of the files beside each FILE
      --seed TEXT         make generated values repeat
  -o, --output FILE       write a notebook with the outputs (a folder for several files, - for
                          standard output)
      --demo              start the embedded users API on a free port and set "base" to it
      --timeout SECONDS   limit of each request (30 if not given) and of each cell (none)
  -k, --keep-going        go on after a cell that failed
  -b, --brief             one line for each request
  -i, --interactive       on a terminal, stay at a prompt with the session afterwards

A cell that computes for ever is ended by --timeout. On Deno and Bun these are its loops, and anything
up to its first await; what else computes after it ends the process there (status 137). With --output,
Ctrl-C and SIGTERM save what was run; it is saved before each TypeScript cell as well.

Exit status: 0 all cells ran, 1 a cell failed or a request was given up, 2 wrong usage or a file that
cannot be read or written, 130 Ctrl-C, 143 SIGTERM; process.exit(n) in a cell ends the run with n.`,

  check: `Usage: restlab check [options] FILE...

Looks for everything that is wrong with the requests of notebooks (.ipynb) and request files (.http,
.rest), and sends nothing: syntax, unknown names, URLs, headers, bodies, files that are not there.
Each fault is a line "file:line:column: message"; in a notebook "file:cell 2:line:column: message".

Options:
      --var NAME=VALUE    take this variable to be set
      --env NAME          use this environment of the files beside each FILE
      --json              write the faults as one line of JSON

Exit status: 0 no faults, 1 faults, 2 wrong usage or a file that cannot be read.`,

  demo: `Usage: restlab demo [options]

Serves the embedded users API until Ctrl-C. Everything it keeps is in memory.

Options:
  -p, --port PORT         the port (8787 if not given; 0 takes a free one)
      --host HOST         the address to listen on (127.0.0.1 if not given)`,

  install: `Usage: restlab install [options]

Installs restlab as a kernel of Jupyter (Notebook, JupyterLab, VS Code, console).

Options:
      --user              for you alone (if nothing else is said)
      --sys-prefix        into the Python environment that is active
      --prefix DIR        below DIR/share/jupyter
      --name NAME         the kernel's name ("restlab"; "restlab-deno" and "restlab-bun" there)
      --display-name TEXT the name in the launcher
      --runtime RUNTIME   node, deno or bun (the one that runs this command if not given)
      --force             take the place of another program's kernel of that name`,

  uninstall: `Usage: restlab uninstall [options]

Removes what "restlab install" with the same options has written.

Options:
      --user, --sys-prefix, --prefix DIR, --name NAME, --runtime RUNTIME   as for install`,

  kernel: `Usage: restlab kernel --connection-file FILE

Runs the kernel. Jupyter calls this itself, once "restlab install" has told it how.

Options:
  -f, --connection-file FILE   says where to listen; written by the front end`,
};
