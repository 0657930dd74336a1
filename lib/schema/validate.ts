import { isObjectValue, isRecord, memberOf } from "../interpolation/mod.ts";
import { ASSERTIONS, type Assertion, listOf } from "./assertions.ts";
import { type Direction, isOfOtherSide } from "./direction.ts";
import {
  ignoresSiblings,
  type Json,
  type Located,
  type Resource,
  SchemaError,
  type Schemas,
} from "./schemas.ts";

/** A part of a value that its schema does not allow. */
export interface SchemaFault {
  /** Where it is. */
  readonly path: readonly (string | number)[];
  /** What is wrong; it may contain numbers of the value. */
  readonly message: string;
}

/** How a value is validated. */
export interface ValidateOptions {
  /** Whether it is sent or received; without it, members of each side are as all others. */
  readonly direction?: Direction | undefined;
  /** Whether formats are checked; they are. */
  readonly checksFormats?: boolean;
}

/** A place in the value, from the inside out. */
interface Place {
  readonly around?: Place;
  readonly step: string | number;
}

/** The schemas that are being applied to one place, from the inside out. */
interface Active extends Located {
  readonly others: Active | undefined;
}

/** The resources that led here, the outermost last. */
interface Scope {
  readonly resource: Resource;
  readonly outer: Scope | undefined;
}

/** A schema that is applied to a value. */
interface Step {
  readonly value: unknown;
  readonly place: Place | undefined;
  readonly scope: Scope;
  readonly active: Active | undefined;
  readonly run: Run;
}

/** What is the same for all of a validation. */
interface Run extends ValidateOptions {
  readonly keywords: Map<Json, Keywords>;
  readonly schemas: Schemas;
  readonly matches: (pattern: string, text: string) => boolean;
}

/** What has come of it: the faults, and the members and items that a schema has looked at. */
interface Outcome {
  readonly faults: SchemaFault[];
  readonly seen: Set<string | number>;
}

/**
 * Validates a value of JSON, whose numbers keep all digits, by a schema.
 *
 * @returns What the schema does not allow, in the order of the schema.
 * @throws {SchemaError} The schema cannot be used.
 */
export function validate(
  { schema, resource }: Located,
  value: unknown,
  schemas: Schemas,
  options: ValidateOptions = {},
): readonly SchemaFault[] {
  const patterns = new Map<string, RegExp>();
  const matches: Run["matches"] = (pattern, text) => {
    const known = patterns.get(pattern) ?? compile(pattern);
    patterns.set(pattern, known);
    return known.test(text);
  };
  const run = { ...options, schemas, matches, keywords: new Map() };
  const scope = { resource, outer: undefined };
  return apply(schema, { value, place: undefined, scope, active: undefined, run }).faults;
}

function compile(pattern: string): RegExp {
  try {
    // By the global constructor, which a time limit may replace.
    return new RegExp(pattern, "u");
  } catch {
    throw new SchemaError(`the pattern ${JSON.stringify(pattern)} is not a regular expression`);
  }
}

function fault(message: string, { place }: Pick<Step, "place">): SchemaFault {
  const path: (string | number)[] = [];
  for (let at = place; at !== undefined; at = at.around) path.unshift(at.step);
  return { path, message };
}

/** Applies a schema to a value. */
function apply(schema: unknown, step: Step): Outcome {
  const outcome: Outcome = { faults: [], seen: new Set() };
  if (typeof schema === "boolean") {
    if (!schema) outcome.faults.push(fault("Nothing is allowed here", step));
    return outcome;
  }
  if (!isRecord(schema)) {
    throw new SchemaError(`${JSON.stringify(schema) ?? "nothing"} stands where a schema is needed`);
  }
  const resource = step.run.schemas.resourceOf(schema, step.scope.resource);
  const isInner = resource !== step.scope.resource;
  const scope = isInner ? { resource, outer: step.scope } : step.scope;
  const inner = { ...step, scope, active: { schema, resource, others: step.active } };
  if (ignoresSiblings(resource.dialect) && typeof schema["$ref"] === "string") {
    APPLICATORS["$ref"]?.(schema["$ref"], schema, inner, outcome);
    return outcome;
  }
  const isNull = step.value === null && schema["nullable"] === true;
  const isNullable = isNull && resource.dialect === "openapi-3.0";
  const { rules, others } = keywordsOf(schema, step.run);
  for (const { keyword, applicator, assertion } of rules) {
    if (applicator !== undefined) applicator(schema[keyword], schema, inner, outcome);
    if (assertion === undefined || !resource.asserts) continue;
    if (isNullable && (keyword === "type" || keyword === "enum")) continue;
    if (keyword === "format" && step.run.checksFormats === false) continue;
    const message = assertion(schema[keyword], step.value, schema, step.run.matches);
    if (message !== undefined) outcome.faults.push(fault(message, step));
  }
  // What these concern depends on all others.
  for (const keyword of others) applyToOthers(schema[keyword], inner, outcome, keyword);
  return outcome;
}

/** The keywords of a schema that say something, which may be of many values. */
interface Keywords {
  readonly rules: readonly Rule[];
  readonly others: readonly string[];
}

interface Rule {
  readonly keyword: string;
  readonly applicator: Applicator | undefined;
  readonly assertion: Assertion | undefined;
}

function keywordsOf(schema: Json, { keywords }: Run): Keywords {
  const known = keywords.get(schema);
  if (known !== undefined) return known;
  const names = Object.keys(schema);
  const rules = names
    .map((keyword) => ({
      keyword,
      applicator: memberOf(APPLICATORS, keyword) as Applicator | undefined,
      assertion: memberOf(ASSERTIONS, keyword) as Assertion | undefined,
    }))
    .filter(({ applicator, assertion }) => applicator !== undefined || assertion !== undefined);
  const others = ["unevaluatedItems", "unevaluatedProperties"].filter((name) =>
    names.includes(name),
  );
  const found = { rules, others };
  keywords.set(schema, found);
  return found;
}

/** Applies a schema to the same value, and takes over what it has found. */
function applyHere(schema: unknown, step: Step, outcome: Outcome): Outcome {
  const result = apply(schema, step);
  for (const one of result.faults) outcome.faults.push(one);
  if (result.faults.length === 0) see(result, outcome);
  return result;
}

function see(result: Outcome, outcome: Outcome): void {
  for (const one of result.seen) outcome.seen.add(one);
}

/** Applies a schema to a member or an item. */
function applyAt(schema: unknown, key: string | number, step: Step): Outcome {
  const value: unknown = Reflect.get(step.value as object, key);
  return apply(schema, {
    ...step,
    value,
    place: { around: step.place, step: key },
    active: undefined,
  });
}

function applyTo(
  schema: unknown,
  keys: Iterable<string | number>,
  step: Step,
  outcome: Outcome,
): void {
  for (const key of keys) {
    const { faults } = applyAt(schema, key, step);
    if (schema === false) {
      const what = typeof key === "string" ? `Member ${JSON.stringify(key)}` : "This item";
      outcome.faults.push(
        fault(`${what} is not allowed`, { place: { around: step.place, step: key } }),
      );
    } else for (const one of faults) outcome.faults.push(one);
    outcome.seen.add(key);
  }
}

/** Applies a schema to the members, or the items, that no other has looked at. */
function applyToOthers(schema: unknown, step: Step, outcome: Outcome, keyword: string): void {
  const keys = keyword === "unevaluatedItems" ? indexesOf(step.value, 0) : namesOf(step.value);
  applyTo(
    schema,
    [...keys].filter((key) => !outcome.seen.has(key)),
    step,
    outcome,
  );
}

function namesOf(value: unknown): readonly string[] {
  return isObjectValue(value) ? Object.keys(value) : [];
}

function* indexesOf(value: unknown, from: number): Generator<number> {
  if (!Array.isArray(value)) return;
  for (let at = from; at < value.length; at++) yield at;
}

/** The schemas that are being applied to the value of a step, from the inside out. */
function* appliedIn({ active }: Step): Generator<Located> {
  for (let one = active; one !== undefined; one = one.others) yield one;
}

/** Follows a reference to a schema, which is applied to the same value. */
function follow({ schema, resource }: Located, step: Step, outcome: Outcome): void {
  // To meet a schema again at the same place is to meet it without end.
  for (const one of appliedIn(step)) {
    if (one.schema === schema) throw new SchemaError("it refers to itself without end");
  }
  applyHere(schema, { ...step, scope: { resource, outer: step.scope } }, outcome);
}

/** The outermost of the resources that led here, from the given one, which has such a dynamic anchor. */
function outermost(name: string, found: Located, scope: Scope): Located {
  let result = found;
  for (let one: Scope | undefined = scope; one !== undefined; one = one.outer) {
    const schema = one.resource.dynamic.get(name);
    if (schema !== undefined) result = { schema, resource: one.resource };
  }
  return result;
}

/** What a keyword says by the schemas in it. */
type Applicator = (wanted: unknown, schema: Json, step: Step, outcome: Outcome) => void;

/** The results of several schemas on the same value. */
function* each(wanted: unknown, step: Step): Generator<Outcome> {
  for (const schema of listOf(wanted)) yield apply(schema, step);
}

const properties: Applicator = (wanted, _schema, step, outcome) => {
  if (!isObjectValue(step.value) || !isRecord(wanted)) return;
  for (const name of Object.keys(wanted)) {
    if (Object.hasOwn(step.value, name)) applyTo(wanted[name], [name], step, outcome);
  }
};

/** The members that neither `properties` nor `patternProperties` name. */
function isAdditional(name: string, schema: Json, { matches }: Run): boolean {
  const { properties: named, patternProperties } = schema;
  if (isRecord(named) && Object.hasOwn(named, name)) return false;
  const patterns = isRecord(patternProperties) ? Object.keys(patternProperties) : [];
  return !patterns.some((pattern) => matches(pattern, name));
}

function dependent(wanted: unknown, step: Step, outcome: Outcome): void {
  if (!isObjectValue(step.value) || !isRecord(wanted)) return;
  for (const [name, schema] of Object.entries(wanted)) {
    if (!Object.hasOwn(step.value, name)) continue;
    if (!Array.isArray(schema)) applyHere(schema, step, outcome);
    else {
      const message = ASSERTIONS["dependentRequired"]?.(
        { [name]: schema },
        step.value,
        {},
        step.run.matches,
      );
      if (message !== undefined) outcome.faults.push(fault(message, step));
    }
  }
}

function itemsAfter(from: number): Applicator {
  return (wanted, _schema, step, outcome) =>
    applyTo(wanted, indexesOf(step.value, from), step, outcome);
}

const prefix: Applicator = (wanted, _schema, step, outcome) => {
  for (const [at, schema] of listOf(wanted).entries()) {
    if (Array.isArray(step.value) && at < step.value.length) applyTo(schema, [at], step, outcome);
  }
};

function dialectIn({ scope }: Step): number {
  const { dialect } = scope.resource;
  return dialect === "openapi-3.0" ? 4 : dialect;
}

const APPLICATORS: Readonly<Record<string, Applicator>> = {
  $ref: (wanted, _schema, step, outcome) =>
    follow(step.run.schemas.resolve(String(wanted), step.scope.resource), step, outcome),
  $dynamicRef(wanted, _schema, step, outcome) {
    const reference = String(wanted);
    const found = step.run.schemas.resolve(reference, step.scope.resource);
    const name = reference.slice(reference.indexOf("#") + 1);
    const isDynamic = name !== "" && found.resource.dynamic.get(name) === found.schema;
    follow(isDynamic ? outermost(name, found, step.scope) : found, step, outcome);
  },
  $recursiveRef(_wanted, _schema, step, outcome) {
    const { resource } = step.scope;
    const found = { schema: resource.root, resource };
    follow(resource.dynamic.has("") ? outermost("", found, step.scope) : found, step, outcome);
  },
  allOf(wanted, _schema, step, outcome) {
    for (const schema of listOf(wanted)) applyHere(schema, step, outcome);
  },
  anyOf(wanted, _schema, step, outcome) {
    const results = [...each(wanted, step)];
    const valid = results.filter(({ faults }) => faults.length === 0);
    for (const one of valid) see(one, outcome);
    if (valid.length > 0) return;
    outcome.faults.push(fault(`Matches none of the ${results.length} schemas of "anyOf"`, step));
    outcome.faults.push(...results.flatMap(({ faults }) => faults));
  },
  oneOf(wanted, _schema, step, outcome) {
    const results = [...each(wanted, step)];
    const [first, ...others] = results.filter(({ faults }) => faults.length === 0);
    if (first !== undefined && others.length === 0) return see(first, outcome);
    const of = `of the ${results.length} schemas of "oneOf"`;
    const found = first === undefined ? `none ${of}` : `${others.length + 1} ${of}, not one`;
    outcome.faults.push(fault(`Matches ${found}`, step));
    if (first === undefined) outcome.faults.push(...results.flatMap(({ faults }) => faults));
  },
  not(wanted, _schema, step, outcome) {
    if (apply(wanted, step).faults.length > 0) return;
    outcome.faults.push(fault('Matches the schema of "not"', step));
  },
  if(wanted, schema, step, outcome) {
    const result = apply(wanted, step);
    const isValid = result.faults.length === 0;
    if (isValid) see(result, outcome);
    const branch = isValid ? "then" : "else";
    if (Object.hasOwn(schema, branch)) applyHere(schema[branch], step, outcome);
  },
  required(wanted, _schema, step, outcome) {
    if (!isObjectValue(step.value)) return;
    const { direction, schemas } = step.run;
    for (const name of listOf(wanted).map(String)) {
      if (Object.hasOwn(step.value, name)) continue;
      if (direction && isOfOtherSide(name, direction, appliedIn(step), schemas)) continue;
      outcome.faults.push(fault(`Member ${JSON.stringify(name)} is missing`, step));
    }
  },
  writeOnly(wanted, _schema, step, outcome) {
    if (wanted !== true || step.run.direction !== "response" || step.place === undefined) return;
    outcome.faults.push(fault("It is writeOnly, and no response has it", step));
  },
  properties,
  patternProperties(wanted, _schema, step, outcome) {
    if (!isRecord(wanted)) return;
    for (const [pattern, schema] of Object.entries(wanted)) {
      const names = namesOf(step.value).filter((name) => step.run.matches(pattern, name));
      applyTo(schema, names, step, outcome);
    }
  },
  additionalProperties(wanted, schema, step, outcome) {
    const names = namesOf(step.value).filter((name) => isAdditional(name, schema, step.run));
    applyTo(wanted, names, step, outcome);
  },
  propertyNames(wanted, _schema, step, outcome) {
    for (const name of namesOf(step.value)) {
      const { faults } = apply(wanted, { ...step, value: name, active: undefined });
      const [first] = faults;
      if (first === undefined) continue;
      outcome.faults.push(fault(`Name ${JSON.stringify(name)}: ${first.message}`, step));
    }
  },
  dependentSchemas: (wanted, _schema, step, outcome) => dependent(wanted, step, outcome),
  dependencies(wanted, _schema, step, outcome) {
    if (dialectIn(step) <= 7) dependent(wanted, step, outcome);
  },
  prefixItems(wanted, schema, step, outcome) {
    if (dialectIn(step) >= 2020) prefix(wanted, schema, step, outcome);
  },
  items(wanted, schema, step, outcome) {
    const { prefixItems } = schema;
    const isList = Array.isArray(wanted) && dialectIn(step) < 2020;
    const start = dialectIn(step) >= 2020 && Array.isArray(prefixItems) ? prefixItems.length : 0;
    (isList ? prefix : itemsAfter(start))(wanted, schema, step, outcome);
  },
  additionalItems(wanted, schema, step, outcome) {
    const { items } = schema;
    if (dialectIn(step) >= 2020 || !Array.isArray(items)) return;
    itemsAfter(items.length)(wanted, schema, step, outcome);
  },
  contains(wanted, schema, step, outcome) {
    if (!Array.isArray(step.value)) return;
    const found = [...indexesOf(step.value, 0)].filter(
      (at) => applyAt(wanted, at, step).faults.length === 0,
    );
    // Only since 2020-12 are these looked at for `unevaluatedItems`.
    if (dialectIn(step) >= 2020) for (const at of found) outcome.seen.add(at);
    const counts = dialectIn(step) >= 2019;
    const [least, most] = [
      counts ? schema["minContains"] : 1,
      counts ? schema["maxContains"] : undefined,
    ];
    const matching = `${found.length} ${found.length === 1 ? "item matches" : "items match"} "contains"`;
    if (found.length < Number(least ?? 1)) {
      outcome.faults.push(fault(`${matching}, fewer than ${least ?? 1}`, step));
    } else if (most !== undefined && found.length > Number(most)) {
      outcome.faults.push(fault(`${matching}, more than ${most}`, step));
    }
  },
};
