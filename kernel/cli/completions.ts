import { COMMAND_NAMES, helpOf, METHODS } from "./help.ts";

/** Words that a command line may begin with, none for restlab without a command, and the options behind them. */
interface Completions {
  readonly words: readonly string[];
  readonly options: readonly ListedOption[];
}

/** An option as the text of `--help` lists it. */
interface ListedOption {
  readonly short: string | undefined;
  readonly long: string;
  readonly about: string;
}

const SHELLS: Readonly<Record<string, (all: readonly Completions[]) => string>> = {
  bash,
  zsh,
  fish,
};

/**
 * Parses the arguments of `restlab completions`.
 *
 * @throws {Error} No shell is named, or one that has no completions.
 */
export function parseCompletions([shell = "", ...rest]: readonly string[]): {
  readonly kind: "text";
  readonly text: string;
} {
  const write = Object.hasOwn(SHELLS, shell) ? SHELLS[shell] : undefined;
  if (write === undefined || rest.length > 0) {
    throw new Error("Name one shell: write bash, zsh or fish");
  }
  const groups = [
    METHODS,
    ["curl"],
    ["http", "https"],
    ["help"],
    ...COMMAND_NAMES.map((it) => [it]),
  ];
  const all = groups.map((words) => ({ words, options: optionsOf(words[0]) }));
  return { kind: "text", text: write([...all, { words: [], options: optionsOf(undefined) }]) };
}

function optionsOf(word: string | undefined): readonly ListedOption[] {
  const lines = (helpOf(word) ?? "").matchAll(
    /^ {2}(?:-(\w), | {4})--([a-z][\w-]*)(?:\s.*?)??(?: {2,}| *\n +)(\S.*)$/gm,
  );
  return [...lines].map(([, short, long = "", about = ""]) => ({ short, long, about }));
}

const firstWords = (all: readonly Completions[]): string =>
  all.flatMap(({ words }) => words).join(" ");

/** The cases of a shell, by the first word. */
function cases(all: readonly Completions[], run: (spellings: string) => string): string {
  const lines = all.map(({ words, options }) => {
    const spellings = options.flatMap(({ short, long }) => [
      `--${long}`,
      ...(short === undefined ? [] : [`-${short}`]),
    ]);
    return `      ${words.join("|") || "*"}) ${run(spellings.join(" "))} ;;`;
  });
  return lines.join("\n");
}

function bash(all: readonly Completions[]): string {
  return `_restlab() {
  local word="\${COMP_WORDS[COMP_CWORD]}" options=""
  COMPREPLY=()
  if [[ $word == -* ]]; then
    case "\${COMP_WORDS[1]}" in
${cases(all, (spellings) => `options="${spellings}"`)}
    esac
    COMPREPLY=($(compgen -W "$options" -- "$word"))
  elif [[ $COMP_CWORD == 1 || ($COMP_CWORD == 2 && \${COMP_WORDS[1]} == help) ]]; then
    COMPREPLY=($(compgen -W "${firstWords(all)}" -- "$word"))
  fi
}
complete -o default -F _restlab restlab`;
}

function zsh(all: readonly Completions[]): string {
  return `#compdef restlab
_restlab() {
  if [[ $words[CURRENT] == -* ]]; then
    case $words[2] in
${cases(all, (spellings) => `compadd -- ${spellings}`)}
    esac
  elif [[ $CURRENT == 2 || ($CURRENT == 3 && $words[2] == help) ]]; then
    compadd -- ${firstWords(all)}
  else
    _files
  fi
}
compdef _restlab restlab`;
}

function fish(all: readonly Completions[]): string {
  const lines = all.flatMap(({ words, options }) => {
    const where = ["__fish_seen_subcommand_from", ...words].join(" ");
    return options.map(({ short, long, about }) => {
      const condition = words.length === 0 ? "__fish_use_subcommand" : where;
      const letter = short === undefined ? "" : ` -s ${short}`;
      return `complete -c restlab -n "${condition}" -l ${long}${letter} -d '${about.replaceAll("'", "\\'")}'`;
    });
  });
  return [`complete -c restlab -n __fish_use_subcommand -a "${firstWords(all)}"`, ...lines].join(
    "\n",
  );
}
