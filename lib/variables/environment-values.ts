import {
  fillValue,
  isObjectValue,
  type LateValue,
  objectOf,
  parseTemplate,
  type Scope,
  textsIn,
  type Value,
  variablesNamed,
  writtenEntries,
} from "../interpolation/mod.ts";
import { STAND_IN } from "./references.ts";

/**
 * A variable with placeholders becomes one whose value is looked for when it is used: all of a file are filled by this,
 * whatever a placeholder calls them. In a text, the name of the variable stands for what the text replaces.
 *
 * @param scope The values of its placeholders, and what references name.
 */
export function fillLate(variable: EnvironmentVariable, scope: Scope): EnvironmentVariable {
  const { value, ...rest } = variable;
  const isReference = (text: string): boolean => scope.reference?.(text) !== undefined;
  const texts =
    value === undefined
      ? []
      : textsIn(value).filter((text) => text.includes("{{") || isReference(text));
  if (value === undefined || texts.length === 0) return variable;
  const names = texts.flatMap((text) => (isReference(text) ? [text] : namesIn(text)));
  const own = typeof value === "string" ? withReplaced(variable, names, scope) : scope;
  const fill = (steps?: readonly (string | number)[]): Value =>
    limited(fillValue(value, own, steps));
  const late = lateVariable(variable, names, fill);
  const { scheme } = (typeof value === "string" && scope.reference?.(value)) || {};
  if (scheme !== undefined)
    return { ...rest, secret: true, late: { ...late, isLazy: true, scheme } };
  const resolveTrial = (): Value => fillValue(value, { ...own, reference: standIn(own) });
  const isWhole = typeof value === "string";
  return { ...rest, late: { ...late, resolvePart: fill, ...(isWhole ? {} : { resolveTrial }) } };
}

function standIn({ reference }: Scope): Scope["reference"] {
  return (text) => {
    const found = reference?.(text);
    return found?.isWaiting === true ? { ...found, resolve: () => STAND_IN } : found;
  };
}

/** The scope of a text that extends the value of a file above, as in `"path": "{{path}}/dev"`. */
function withReplaced(
  { name, replaced }: EnvironmentVariable,
  names: readonly string[],
  scope: Scope,
): Scope {
  if (replaced === undefined || !names.includes(name)) return scope;
  const { value, late } = fillLate(replaced, scope);
  const get = (one: string): Value | undefined =>
    one === name ? (value ?? late?.resolve()) : scope.get(one);
  return { ...scope, get };
}

/** A variable whose value is looked for, or complained about, when it is used. */
export function lateVariable(
  { file, line }: Pick<EnvironmentVariable, "file" | "line">,
  names: readonly string[],
  resolve: () => Value,
): LateValue {
  return { place: `${file}:${line}`, names, resolve };
}

function namesIn(text: string): readonly string[] {
  try {
    const { parts } = parseTemplate(text);
    return parts.flatMap((part) => {
      if (typeof part === "string") return [];
      const named = variablesNamed(part);
      // A variable of `{{$dotenv name}}` is labelled so.
      return part.kind === "generated" ? [...named, `${part.name} ${part.argument}`] : named;
    });
  } catch {
    return []; // The placeholder is broken, whatever changes.
  }
}

/** What a variable may be filled with: some lines of a file can repeat each other without end. */
const SIZE_LIMIT = 16 * 1024 * 1024;

function limited(value: Value): Value {
  let left = SIZE_LIMIT;
  const count = (one: Value): void => {
    left -= typeof one === "string" ? one.length : 1;
    if (left < 0) throw new RangeError(`Its value is longer than ${SIZE_LIMIT} characters`);
    if (Array.isArray(one)) for (const item of one) count(item);
    else if (isObjectValue(one)) for (const member of Object.values(one)) count(member);
  };
  count(value);
  return value;
}

/** A variable of an environment, and where it comes from. */
export interface EnvironmentVariable {
  readonly name: string;
  /** Absent where it has placeholders, or cannot be read. */
  readonly value?: Value;
  /** How the value is found when it is used, if there is none yet. */
  readonly late?: LateValue;
  readonly secret: boolean;
  /** Whether it contains logins: of their texts, only those with a secret name are secret. */
  readonly isLogins?: boolean;
  /** The variable of a file above that it takes the place of. */
  readonly replaced?: EnvironmentVariable;
  /** The path of the file, as messages name it. */
  readonly file: string;
  /** Its line in the file, from 1. */
  readonly line: number;
  /** The environment in the file; absent for `.env`. */
  readonly environment?: string;
}

/**
 * Merges the logins of a file into those of the previous one: a private file adds the secrets to the
 * logins of the public file.
 */
export function withLogins(
  variable: EnvironmentVariable,
  before: EnvironmentVariable | undefined,
): EnvironmentVariable {
  const own = variable.value;
  if (own === undefined) return variable;
  const value = before?.value === undefined ? own : mergeDeep(before.value, own);
  return { ...variable, value, secret: false, isLogins: true };
}

function mergeDeep(before: Value, value: Value): Value {
  if (!isObjectValue(before) || !isObjectValue(value)) return value;
  const entries = writtenEntries(value).map(([key, one]): [string, Value] => {
    const former = Object.hasOwn(before, key) ? before[key] : undefined;
    return [key, former === undefined ? one : mergeDeep(former, one)];
  });
  return objectOf([...writtenEntries(before), ...entries]);
}
