import { messageOf } from "../../exchange/mod.ts";
import { type Explanation, type Generated, snapshotValue } from "../../interpolation/mod.ts";
import { type FakerCall, findFakerCall } from "./faker-names.ts";
import type { Random } from "./random.ts";

/**
 * The used part of `@faker-js/faker`: modules of functions, and a seed. It is not imported, so that it
 * need not be installed.
 */
export interface Faker {
  /** Makes the following values repeatable. */
  seed(seed: number): unknown;
  /** Sets the date that past and future dates are relative to. */
  setDefaultRefDate?(date: Date): unknown;
}

/**
 * Generates realistic data.
 *
 * @param call The path, for example `person.firstName` or JetBrains' `name.firstName`, and the arguments
 * as JSON, without parentheses.
 */
export function generateWithFaker(
  { path, words }: FakerCall,
  faker: Faker,
  { random, now }: { readonly random: Random; readonly now: () => Date },
): Generated {
  const call = findFakerCall(path, words);
  const [group = "", method = "", ...more] = call.path.split(".");
  const module = ownMember(faker, group);
  const make = typeof module === "object" && module !== null ? member(module, method) : undefined;
  if (typeof make !== "function") return unknownPath(path, faker, group);
  let values: unknown[];
  try {
    values = JSON.parse(`[${call.words}]`);
  } catch {
    return { message: `its arguments "${words}" are not comma-separated JSON values` };
  }
  faker.seed(random.integer(0, 2 ** 31));
  faker.setDefaultRefDate?.(now());
  try {
    const made: unknown = make.apply(module, values);
    const value = more.reduce((holder, step) => ownMember(Object(holder), step), made);
    if (value === undefined && more.length > 0) return unknownPath(path, faker, group);
    return { value: snapshotValue(value, path) };
  } catch (error) {
    return { message: `${path} failed: ${messageOf(error)}` };
  }
}

function ownMember(holder: object, name: string): unknown {
  return Object.hasOwn(holder, name) ? Reflect.get(holder, name) : undefined;
}

/** Methods of faker are on prototypes; those of `Object.prototype` are not methods of faker. */
function member(holder: object, name: string): unknown {
  return name in Object.prototype ? undefined : Reflect.get(holder, name);
}

function unknownPath(path: string, faker: Faker, group: string): Explanation {
  const module = ownMember(faker, group);
  const isModule = typeof module === "object" && module !== null;
  const groups = Object.keys(faker).filter((name) => /^[a-z]\w*$/.test(name));
  const hint = isModule
    ? "See https://fakerjs.dev/api"
    : `Its modules are, for example, ${groups.slice(0, 8).join(", ")}`;
  return { message: `faker has no "${path}"`, hint };
}
