import { nearNames } from "./near-names.ts";
import { indexOf, takeNext } from "./path.ts";
import { generate, isMap, namedIn, partOf, variableOf } from "./scope.ts";
import type { PathPlaceholder, Placeholder } from "./template.ts";
import {
  type Explanation,
  isDate,
  isNumberText,
  notJson,
  type Scope,
  stepText,
  type Value,
  type Variables,
  type Whole,
} from "./value.ts";

/** Explains why a placeholder has no value: follows its path and finds the first missing step. */
export function explainUnresolved(placeholder: Placeholder, variables: Variables): Explanation {
  const action = `Cannot resolve "{{${placeholder.text}}}"`;
  if (placeholder.kind === "generated") {
    const generated = generate(placeholder, variables);
    if (generated !== undefined && "message" in generated) return explanation(action, generated);
    return {
      message: `${action}: names that begin with "$" are reserved for generated values, and "${placeholder.name}" is not one of them`,
      hint: `Set a variable without "$" and use that`,
    };
  }
  const named = namedIn(variables, placeholder);
  const first = variableOf(named, variables);
  if (first === undefined) {
    const known = isMap(variables) ? explainVariable(named, variables) : undefined;
    if (known !== undefined) return explanation(action, known);
    const names = variableNames(variables);
    const { name, text } = named;
    const isPart = names.some((one) => one.startsWith(`${name}.`));
    return {
      message: `${action}: there is no variable "${name}"`,
      hint: hintAtNames(isPart ? text : name, names, "There are no variables"),
    };
  }
  return explainStep(action, named, first);
}

function explainVariable(placeholder: PathPlaceholder, scope: Scope): Explanation | undefined {
  const part = partOf(placeholder, scope);
  return part !== undefined && "message" in part
    ? part
    : scope.explain?.(placeholder.name, placeholder.steps);
}

function explanation(action: string, { message, hint }: Explanation): Explanation {
  return { message: `${action}: ${message}`, ...(hint === undefined ? {} : { hint }) };
}

function explainStep(action: string, placeholder: PathPlaceholder, first: Value): Explanation {
  let reached = first;
  let path = placeholder.name;
  let text: TextResponse | undefined;
  for (const [at, step] of placeholder.steps.entries()) {
    text = textResponseAt(reached, path) ?? text;
    const next = takeNext(reached, placeholder.steps, at);
    if (next === undefined) {
      return explainText(action, path, text) ?? explainMissingStep(action, path, reached, step);
    }
    path += stepText(step);
    reached = next;
  }
  text = textResponseAt(reached, path) ?? text;
  const ofText = explainText(action, path, text);
  if (ofText !== undefined) return ofText;
  if (placeholder.query !== undefined) {
    return { message: `${action}: nothing in "${path}" matches the JSONPath` };
  }
  return { message: `${action}: "${path}" is not set` };
}

/** A response whose body is not JSON, by its path, and what it is. */
interface TextResponse {
  readonly path: string;
  readonly body: string;
}

function textResponseAt(reached: Value, path: string): TextResponse | undefined {
  const body = typeof reached === "object" ? (reached as Whole | null)?.[notJson] : undefined;
  return body === undefined ? undefined : { path, body };
}

/** Explains a missing step into a body that is not JSON. */
function explainText(
  action: string,
  at: string,
  text: TextResponse | undefined,
): Explanation | undefined {
  const whole = `${text?.path}.response.body`;
  if (text === undefined || (at !== text.path && at !== whole)) return undefined;
  return {
    message: `${action}: the body of the response to "${text.path}" is ${text.body}`,
    hint: `Write {{${whole}}} for all of it`,
  };
}

function explainMissingStep(
  action: string,
  path: string,
  reached: Value,
  step: string | number,
): Explanation {
  if (Array.isArray(reached)) return explainArray(action, path, reached.length, indexOf(step));
  if (
    typeof reached === "object" &&
    reached !== null &&
    !isDate(reached) &&
    !isNumberText(reached)
  ) {
    const wanted = String(step);
    return {
      message: `${action}: "${path}" has no property ${JSON.stringify(wanted)}`,
      hint: hintAtNames(wanted, Object.keys(reached), `"${path}" is an empty object`),
    };
  }
  const wanted = typeof step === "number" ? "elements" : "properties";
  return { message: `${action}: "${path}" is ${describeValue(reached)} and has no ${wanted}` };
}

function explainArray(
  action: string,
  path: string,
  length: number,
  step: string | number,
): Explanation {
  if (typeof step === "string") {
    return {
      message: `${action}: "${path}" is an array and has no property ${JSON.stringify(step)}`,
      hint: `Access an element by its index, for example {{${path}[0]}}`,
    };
  }
  const elements = length === 1 ? "1 element" : `${length} elements`;
  const range = length === 0 ? "" : ` (index 0${length === 1 ? "" : ` to ${length - 1}`})`;
  return { message: `${action}: "${path}" has ${elements}${range} and none at ${step}` };
}

const LISTED = 8;

function hintAtNames(wanted: string, names: readonly string[], none: string): string {
  if (names.length === 0) return none;
  const near = nearNames(wanted, names);
  const quoted = (near.length > 0 ? near : names.slice(0, LISTED)).map((name) =>
    JSON.stringify(name),
  );
  if (near.length > 0) return `Did you mean ${quoted.join(" or ")}?`;
  const more = names.length > LISTED ? ` and ${names.length - LISTED} more` : "";
  return `Known here: ${quoted.join(", ")}${more}`;
}

function variableNames(variables: Variables): string[] {
  return isMap(variables) ? [...variables.keys()] : Object.keys(variables);
}

function describeValue(value: Value): string {
  if (value === null) return "null";
  if (typeof value !== "object") return `a ${typeof value}`;
  return isDate(value) ? "a date" : "a number";
}
