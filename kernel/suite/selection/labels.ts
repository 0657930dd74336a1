import { shorten } from "../../../lib/interpolation/mod.ts";
import type { DocumentCell } from "../../notebook/mod.ts";

/** How a person refers to a cell. */
export interface Labels {
  /** From `# @name`, else from `### title`, else its first line. */
  readonly name: string;
  /** From `# @tag` and the cell's metadata. */
  readonly tags: readonly string[];
}

const ANNOTATION = /^[ \t]*(?:#|\/\/)+[ \t]*@(name|tag)[ \t]+(\S.*?)[ \t]*$/gim;
const TITLE = /^###[ \t]*([^\s#].*?)[ \t]*$/m;
const COMMENT = /^(?:#|\/\/|@|%|\?\?|$)/;

/** The labels of a cell, of one with syntax errors as well; comments of TypeScript count like those of requests. */
export function labelsOf({ source, metadata }: DocumentCell): Labels {
  const written: Record<string, string[]> = { name: [], tag: [] };
  for (const [, key = "", value = ""] of source.matchAll(ANNOTATION)) {
    written[key.toLowerCase()]?.push(value);
  }
  const given = Array.isArray(metadata["tags"]) ? metadata["tags"] : [];
  const tags = [...given.map(String), ...(written["tag"] ?? []).flatMap(splitTags)];
  const name = written["name"]?.[0] ?? TITLE.exec(source)?.[1] ?? firstLine(source);
  return { name, tags: [...new Set(tags)] };
}

/** httpYac separates tags by commas. */
function splitTags(text: string): readonly string[] {
  return text.split(/[\s,]+/).filter((tag) => tag !== "");
}

const MAX_LINE = 80;

/** The first line that is neither a comment nor a variable. */
function firstLine(source: string): string {
  const lines = source.split("\n").map((line) => line.trim());
  const line = lines.find((line) => !COMMENT.test(line)) ?? lines.find((line) => line !== "") ?? "";
  return shorten(line, MAX_LINE);
}
