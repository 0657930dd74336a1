import { type Explanation, type Generated, snapshotValue } from "../interpolation/mod.ts";
import type { Random } from "./generated-random.ts";

/**
 * What is used of `@faker-js/faker`: modules of functions, and a seed. Nothing is imported, so that
 * who wants no invented people needs no megabytes of them.
 */
export interface Faker {
  /** Makes what follows repeatable. */
  seed(seed: number): unknown;
}

/** The names of JetBrains' HTTP client, which are those of a library for Java. */
const ALIASES: Readonly<Record<string, string>> = {
  "address.fullAddress": "location.streetAddress",
  "address.zipCode": "location.zipCode",
  address: "location",
  "company.industry": "commerce.department",
  "internet.emailAddress": "internet.email",
  "name.name": "person.fullName",
  "name.title": "person.jobTitle",
  "name.username": "internet.username",
  name: "person",
  "phoneNumber.phoneNumber": "phone.number",
  "phoneNumber.cellPhone": "phone.number",
};

/**
 * Makes realistic data.
 *
 * @param path For example `person.firstName`, or a name of JetBrains such as `name.firstName`.
 * @param words The arguments as JSON, without the parentheses.
 */
export function generateWithFaker(
  path: string,
  words: string,
  faker: Faker,
  random: Random,
): Generated {
  const [group = "", method = "", ...more] = resolveAlias(path).split(".");
  const module = ownMember(faker, group);
  const make = typeof module === "object" && module !== null ? member(module, method) : undefined;
  if (typeof make !== "function" || more.length > 0) return unknownPath(path, faker, group);
  let values: unknown[];
  try {
    values = JSON.parse(`[${words}]`);
  } catch {
    return { message: `its arguments "${words}" are no JSON values with commas between them` };
  }
  faker.seed(random.integer(0, 2 ** 31));
  try {
    return { value: snapshotValue(make.apply(module, values), path) };
  } catch (error) {
    return { message: `${path} failed: ${error instanceof Error ? error.message : String(error)}` };
  }
}

function resolveAlias(path: string): string {
  const whole = ALIASES[path];
  if (whole !== undefined) return whole;
  const [group = "", ...rest] = path.split(".");
  return [Object.hasOwn(ALIASES, group) ? ALIASES[group] : group, ...rest].join(".");
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
