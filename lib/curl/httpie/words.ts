import { HttpieError } from "./errors.ts";
import { type Item, parseItem } from "./item.ts";

/** A command line of HTTPie, with its options as arguments of curl. */
export interface Parts {
  method?: string;
  url?: string;
  kind: "json" | "form" | "multipart";
  authType: string;
  auth?: string;
  readonly options: string[];
  readonly items: Item[];
}

/** Reads the words after `http`. */
export function readWords(words: readonly string[]): Parts {
  const parts: Parts = { kind: "json", authType: "basic", options: [], items: [] };
  const positionals: string[] = [];
  for (let index = 0; index < words.length; index++) {
    const word = words[index] ?? "";
    if (!/^-./.test(word)) {
      positionals.push(word);
      continue;
    }
    const [, name = word, attached] = /^(--[^=]+)=([\s\S]*)$/.exec(word) ?? [];
    const option = OPTIONS[name];
    if (option === undefined) {
      const hint = "write the request as restlab GET URL with options of curl";
      throw new HttpieError(`The option "${name}" of HTTPie is not supported: ${hint}`);
    }
    if (!option.takesValue) {
      option.apply(parts, "");
      continue;
    }
    const value = attached ?? words[++index];
    if (value === undefined) throw new HttpieError(`The option "${name}" has no value`);
    option.apply(parts, value);
  }
  const hasMethod = /^[A-Za-z]+$/.test(positionals[0] ?? "") && isUrl(positionals[1]);
  if (hasMethod) parts.method = (positionals.shift() ?? "").toUpperCase();
  const [url, ...rest] = positionals;
  if (url !== undefined) parts.url = url;
  for (const word of rest) {
    const item = parseItem(word);
    if (item === undefined) {
      throw new HttpieError(
        `"${word}" is not a request item: write name=value, name:=json, Header:value, name==query or name@file`,
      );
    }
    parts.items.push(item);
  }
  return parts;
}

/** Whether a word after the first can be a URL: `http get name=x` has none. */
function isUrl(word: string | undefined): boolean {
  return (
    word !== undefined &&
    (parseItem(word) === undefined || /^:|\/\/|^[\w.-]+(?::\d|\/)|^\{\{/.test(word))
  );
}

interface Option {
  readonly takesValue: boolean;
  readonly apply: (parts: Parts, value: string) => void;
}

const flag = (apply: (parts: Parts) => void): Option => ({ takesValue: false, apply });
const valued = (apply: Option["apply"]): Option => ({ takesValue: true, apply });
const passed = (name: string): Option =>
  valued(({ options }, value) => void options.push(name, value));
const kind = (to: Parts["kind"]): Option =>
  flag((parts) => {
    parts.kind = to;
  });
const none: Option = flag(() => undefined);

const auth = valued((parts, value) => {
  parts.auth = value;
});
const authType = valued((parts, value) => {
  parts.authType = value;
});
const follow = flag(({ options }) => void options.push("-L"));

const OPTIONS: Readonly<Record<string, Option>> = {
  "-j": none,
  "--json": none,
  "-f": kind("form"),
  "--form": kind("form"),
  "--multipart": kind("multipart"),
  "-a": auth,
  "--auth": auth,
  "-A": authType,
  "--auth-type": authType,
  "-F": follow,
  "--follow": follow,
  "--max-redirects": passed("--max-redirs"),
  "-o": passed("-o"),
  "--output": passed("-o"),
  "--raw": passed("--data-raw"),
  "--cert": passed("--cert"),
  "--cert-key": passed("--key"),
  "--verify": valued(({ options }, value) => {
    if (/^(?:no|false)$/i.test(value)) options.push("-k");
    else if (!/^(?:yes|true)$/i.test(value)) options.push("--cacert", value);
  }),
  // `http:http://127.0.0.1:3128`
  "--proxy": valued(
    ({ options }, value) => void options.push("-x", value.replace(/^\w+:(?=\w+:)/, "")),
  ),
  "-I": none,
  "--ignore-stdin": none,
};
