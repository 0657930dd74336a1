import { type Explanation, type Generated, snapshotValue } from "../../interpolation/mod.ts";
import { type FakerCall, findFakerCall } from "./faker-names.ts";
import type { Random } from "./random.ts";

/**
 * What is used of `@faker-js/faker`: modules of functions, and a seed. Nothing is imported, so that
 * who wants no invented people needs no megabytes of them.
 */
export interface Faker {
  /** Makes what follows repeatable. */
  seed(seed: number): unknown;
  /** The day that dates in the past and in the future are counted from. */
  setDefaultRefDate?(date: Date): unknown;
}

/**
 * Makes realistic data.
 *
 * @param call For example the path `person.firstName`, or a name of JetBrains such as
 * `name.firstName`; the arguments as JSON, without the parentheses.
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
    return { message: `its arguments "${words}" are no JSON values with commas between them` };
  }
  faker.seed(random.integer(0, 2 ** 31));
  faker.setDefaultRefDate?.(now());
  try {
    const made: unknown = make.apply(module, values);
    const value = more.reduce((holder, step) => ownMember(Object(holder), step), made);
    if (value === undefined && more.length > 0) return unknownPath(path, faker, group);
    return { value: snapshotValue(value, path) };
  } catch (error) {
    return { message: `${path} failed: ${error instanceof Error ? error.message : String(error)}` };
  }
}

function ownMember(holder: object, name: string): unknown {
  return Object.hasOwn(holder, name) ? Reflect.get(holder, name) : undefined;
}

/** Methods of a class stand on its prototype; what every object has is none of them. */
function member(holder: object, name: string): unknown {
  return name in Object.prototype ? undefined : Reflect.get(holder, name);
}

function unknownPath(path: string, faker: Faker, group: string): Explanation {
  const module = ownMember(faker, group);
  const isModule = typeof module === "object" && module !== null;
  const groups = Object.keys(faker).filter((name) => /^[a-z]\w*$/.test(name));
  const hint = isModule
    ? "https://fakerjs.dev/api lists what there is"
    : `There are, for example, ${groups.slice(0, 8).join(", ")}`;
  return { message: `faker makes no "${path}"`, hint };
}
