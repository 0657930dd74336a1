import type { Client } from "../../../lib/mod.ts";
import { isSecretField } from "../../session/mod.ts";
import { languageOf } from "../entry/mod.ts";

/** Replaces secrets in headers by placeholders. */
interface SecretHeaders {
  hide(entry: string): string;
  /** One remark for each placeholder. */
  readonly remarks: readonly string[];
}

const HEADER =
  /^([ \t]*)([\w-]{1,80})([ \t]*:[ \t]*)((?:(?:Basic|Bearer|Digest|Token)[ \t]+)?)(\S.*?)[ \t]*$/i;

/** Creates the replacement for one document. Placeholders do not use names of existing variables. */
export function createSecretHeaders({
  hasVar,
  secrets,
}: Pick<Client, "hasVar" | "secrets">): SecretHeaders {
  const names = new Map<string, string>();
  const remarks: string[] = [];

  function nameFor(header: string, value: string): string {
    const known = names.get(`${header}:${value}`);
    if (known !== undefined) return known;
    const taken = new Set(names.values());
    const base = /^[a-z]/.test(header) ? header : `header-${header}`;
    let name = base;
    for (let count = 2; taken.has(name) || hasVar(name); count++) name = `${base}-${count}`;
    names.set(`${header}:${value}`, name);
    remarks.push(
      `the value of the header ${header} is a secret: run the file with --var ${name}=VALUE`,
    );
    return name;
  }

  function hideIn(line: string): string {
    const [, indent = "", name = "", colon = "", scheme = "", value = ""] = HEADER.exec(line) ?? [];
    if (value === "" || value.includes("{{")) return line;
    if (!isSecretField(name, scheme + value, secrets) && secrets.mask(line) === line) return line;
    return `${indent}${name}${colon}${scheme}{{${nameFor(name.toLowerCase(), value)}}}`;
  }

  return {
    remarks,
    hide: (entry) => {
      if (languageOf(entry) !== "request") return entry;
      let isHead = false;
      const lines = entry.split("\n").map((line) => {
        if (/^\s*###/.test(line)) isHead = false;
        else if (isHead && line.trim() === "") isHead = false;
        else if (isHead) return hideIn(line);
        else if (REQUEST_LINE.test(line)) isHead = true;
        return line;
      });
      return lines.join("\n");
    },
  };
}

const REQUEST_LINE = /^\s*(?:[A-Z][\w-]*\s+\S|https?:\/\/)/i;
