import {
  type CollectionBuilder,
  GENERATED,
  joinText,
  type Text,
  toIdentifier,
} from "./collection.ts";

/** `name`, `_.name` and `_.outer.name`. */
const NAME = /^(?:_\.)?([\p{L}_][\p{L}\p{N}_-]*(?:\.[\p{L}\p{N}_-]+)*)$/u;
/** `_["any name"]` */
const QUOTED_NAME = /^_\[\s{0,9}(?:"([^"]*)"|'([^']*)')\s{0,9}\]$/;
/** Paths of JSONPath that a reference can have. */
const PATH = /^\$(?:\.[A-Za-z_]\w*|\[\d+\])*$/;

const NOW: Readonly<Record<string, string>> = { "iso-8601": "$isoTimestamp", unix: "$timestamp" };

/** Reads the texts of a collection. */
export interface TemplateReader {
  readonly read: (text: string, names: Pick<CollectionBuilder, "nameOf">) => Text;
  /** The same text with short names for its expressions, which may contain the marks at which a URL is split. */
  readonly hide: (text: string) => string;
}

/**
 * Creates what reads the texts of Insomnia, which are templates of Nunjucks: its variables, and the tags that have a
 * kin. Nothing of a template is run: what has no kin becomes a variable that a person sets.
 *
 * @param requests The names of the requests, by the identifiers that tags have for them.
 */
export function createTemplateReader(
  requests: ReadonlyMap<string, string>,
  builder: CollectionBuilder,
): TemplateReader {
  const hidden: Piece[] = [];
  const unknown = new Map<string, string>();

  /** A variable that stands for an expression. */
  function standIn(expression: string): string {
    const known = unknown.get(expression);
    if (known !== undefined) return known;
    const name = builder.set(toIdentifier(expression.slice(0, 60), "expression"), undefined);
    unknown.set(expression, name);
    builder.remark(
      "changed",
      expression,
      `No template says it: the variable "${name}" stands for it`,
    );
    return name;
  }

  function tag(expression: string): Text {
    const [name = "", ...args] = wordsOf(expression);
    const [first = "", second = "", third = ""] = args;
    if (name === "uuid" && first !== "v1") return [{ variable: "$guid" }];
    const generated = name === "now" ? NOW[first || "iso-8601"] : `$${first}`;
    if (
      (name === "now" || name === "faker") &&
      generated !== undefined &&
      GENERATED.test(generated)
    ) {
      return [{ variable: generated }];
    }
    if (name === "base64" && first === "encode" && second === "normal" && isPlain(third)) {
      return [Buffer.from(third).toString("base64")];
    }
    if (name === "prompt" && first !== "") {
      const value = third === "" || !isPlain(third) ? undefined : [third];
      return [{ variable: builder.set(first, value) }];
    }
    const reference =
      name === "response" ? referenceTo(first, requests.get(second), third) : undefined;
    return [{ variable: reference ?? standIn(`{% ${expression} %}`) }];
  }

  function expression({ kind, content }: Piece, names: Pick<CollectionBuilder, "nameOf">): Text {
    if (kind === "comment" || content === "") return [];
    if (kind === "tag") return tag(content);
    if (GENERATED.test(content)) return [{ variable: content }];
    const quoted = QUOTED_NAME.exec(content);
    const name = quoted?.[1] ?? quoted?.[2] ?? NAME.exec(content)?.[1];
    return [{ variable: name === undefined ? standIn(`{{ ${content} }}`) : names.nameOf(name) }];
  }

  return {
    read: (text, names) => {
      const parts = piecesOf(text).flatMap((piece): Text => {
        if (piece.kind === "text") return [piece.content];
        const [, index] = /^=(\d+)$/.exec(piece.content) ?? [];
        return expression(hidden[Number(index)] ?? piece, names);
      });
      return joinText(parts);
    },
    hide: (text) => {
      const parts = piecesOf(text).map((piece) =>
        piece.kind === "text" ? piece.content : `{{=${hidden.push(piece) - 1}}}`,
      );
      return parts.join("");
    },
  };
}

function isPlain(text: string): boolean {
  return !/\{[{%#]/.test(text);
}

/** A part of the response of another request. */
function referenceTo(
  part: string,
  request: string | undefined,
  written: string,
): string | undefined {
  if (request === undefined) return undefined;
  const encoded = /^b64::([\w+/=]*)::46b$/.exec(written)?.[1];
  const filter = encoded === undefined ? written : Buffer.from(encoded, "base64").toString();
  if (part === "raw") return `${request}.response.body.*`;
  if (part === "header" && /^[\w-]+$/.test(filter)) return `${request}.response.headers.${filter}`;
  return part === "body" && PATH.test(filter) ? `${request}.response.body.${filter}` : undefined;
}

interface Piece {
  readonly kind: "text" | "variable" | "tag" | "comment";
  readonly content: string;
}

const ENDS = { "{{": "}}", "{%": "%}", "{#": "#}" } as const;
const KINDS = { "{{": "variable", "{%": "tag", "{#": "comment" } as const;

/** The texts and the expressions of a template; what is not closed is text. */
function piecesOf(text: string): readonly Piece[] {
  const pieces: Piece[] = [];
  /** What is not closed any more, so that the rest is not searched again. */
  const open = new Set<string>();
  let at = 0;
  for (const { 0: opening, index } of text.matchAll(/\{[{%#]/g)) {
    if (index < at || open.has(opening)) continue;
    const end = text.indexOf(ENDS[opening as keyof typeof ENDS], index + 2);
    if (end < 0) {
      open.add(opening);
      continue;
    }
    pieces.push({ kind: "text", content: text.slice(at, index) });
    const content = text
      .slice(index + 2, end)
      .replace(/^-|-$/g, "")
      .trim();
    pieces.push({ kind: KINDS[opening as keyof typeof KINDS], content });
    at = end + 2;
  }
  return [...pieces, { kind: "text", content: text.slice(at) }];
}

/** The name of a tag and its arguments, without their quotes. */
function wordsOf(expression: string): readonly string[] {
  const words = expression.matchAll(/"((?:\\.|[^"\\])*)"|'((?:\\.|[^'\\])*)'|[^\s,"']+/g);
  return [...words].map(([whole, double, single]) =>
    (double ?? single ?? whole).replace(/\\(.)/g, "$1"),
  );
}
