import {
  nearNames,
  type PathPlaceholder,
  parseTemplate,
  type Span,
  TemplateSyntaxError,
} from "../interpolation/mod.ts";
import type { AssertionField, DurationPart } from "./assertion.ts";

/** What is wrong with a field, and what to do. */
interface FieldFault {
  readonly message: string;
  readonly hint: string;
}

type ReadField = (value: string) => AssertionField | FieldFault;

const DURATION_PARTS: Readonly<Record<DurationPart, true>> = {
  total: true,
  dns: true,
  tcp: true,
  tls: true,
  firstByte: true,
  download: true,
};

/** How each field is read from the text between its name and the predicate. */
const FIELDS: Readonly<Record<string, ReadField>> = {
  status: (value) =>
    value === ""
      ? { kind: "status" }
      : {
          message: `Unexpected text "${value}" after "status"`,
          hint: "Write a predicate, for example: ?? status == 200",
        },
  duration: (value) => {
    if (value === "") return { kind: "duration", part: "total" };
    if (Object.hasOwn(DURATION_PARTS, value)) {
      return { kind: "duration", part: value as DurationPart };
    }
    const hint = `Write one of ${Object.keys(DURATION_PARTS).join(", ")}, or nothing`;
    return { message: `The duration "${value}" is not measured`, hint };
  },
  header: (name) =>
    /^[^\s:]+$/.test(name)
      ? { kind: "header", name }
      : {
          message:
            name === ""
              ? "The assertion has no header name"
              : `The header name "${name}" is not valid`,
          hint: "Write the name before the predicate, for example: ?? header content-type contains json",
        },
  body: (path) => (path === "" ? { kind: "body" } : readBody(path)),
  jsonpath: (value) => readBody(/^(["']).*\1$/.test(value) ? value.slice(1, -1) : value),
  js: (expression) =>
    expression === ""
      ? {
          message: "The assertion has no expression",
          hint: "Write JavaScript after js, for example: ?? js response.parsedBody.id > 0",
        }
      : { kind: "js", expression },
};

/** The fields whose value is code, in which operators occur that look like predicates. */
export function isExpression(name: string): boolean {
  return name.toLowerCase() === "js";
}

/** Reads the field of an assertion from its name and from the text before the predicate. */
export function readField(name: string, value: string): AssertionField | FieldFault {
  const key = name.toLowerCase();
  return Object.hasOwn(FIELDS, key) && FIELDS[key] !== undefined
    ? FIELDS[key](value)
    : explainUnknown(name);
}

/** Explains a name that is not the name of a field; `undefined` for a field. */
export function unknownField(name: string): FieldFault | undefined {
  return Object.hasOwn(FIELDS, name.toLowerCase()) ? undefined : explainUnknown(name);
}

function explainUnknown(name: string): FieldFault {
  if (name.toLowerCase() === "xpath") {
    const hint = "Use ?? body contains …, or read the XML in a response handler";
    return { message: "XPath is not supported", hint };
  }
  const known = Object.keys(FIELDS);
  const [near] = nearNames(name, known);
  const hint =
    near === undefined
      ? `Write one of ${known.join(", ")}, for example: ?? status == 200`
      : `Did you mean "${near}"?`;
  const message = name === "" ? "The assertion has no field" : `Unknown field "${name}"`;
  return { message, hint };
}

/** A path, or a JSONPath; anything else is JavaScript, as in httpYac. */
function readBody(path: string): AssertionField | FieldFault {
  const placeholder = parseBodyPath(path);
  if (placeholder !== undefined) return { kind: "body", path: placeholder };
  if (path.startsWith("$")) {
    const hint = "Write a JSONPath of RFC 9535, for example: ?? body $.items[0].id == 1";
    return { message: `The JSONPath "${path}" is not valid`, hint };
  }
  const dot = path.startsWith("[") ? "" : ".";
  return { kind: "js", expression: `(response.parsedBody ?? response.body)${dot}${path}` };
}

/** The grammar of placeholders is that of paths: `name`, `items[0].id`, `$.items[0].id`. */
function parseBodyPath(path: string): PathPlaceholder | undefined {
  if (/[{}]/.test(path)) return undefined;
  try {
    const { parts } = parseTemplate(`{{body${path.startsWith("[") ? "" : "."}${path}}}`);
    const [only] = parts;
    return parts.length === 1 && typeof only === "object" && only.kind === "path"
      ? only
      : undefined;
  } catch (error) {
    if (error instanceof TemplateSyntaxError) return undefined;
    throw error;
  }
}

/** The span without the blanks around it. */
export function trimSpan(source: string, { start, end }: Span): Span {
  const text = source.slice(start, end);
  const from = start + text.length - text.trimStart().length;
  return { start: from, end: Math.max(from, start + text.trimEnd().length) };
}
