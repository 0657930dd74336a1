import { isJsonObject, Problem } from "../http/mod.ts";
import { type Check, list, object, orNull, satisfies } from "./shape.ts";
import type { Role, User, UserDetails } from "./user.ts";

const ROLES: readonly Role[] = ["admin", "editor", "viewer"];
const MOST_FAULTS = 50;

const text = (longest: number): Check =>
  satisfies(
    (value) => typeof value === "string" && value.trim() !== "" && value.length <= longest,
    `has to be a text of 1 to ${longest} characters`,
  );

const degrees = (most: number): Check =>
  satisfies(
    (value) => typeof value === "number" && Math.abs(value) <= most,
    `has to be a number from -${most} to ${most}`,
  );

const email: Check = satisfies(
  (value) => typeof value === "string" && value.length <= 254 && /^[^\s@]+@[^\s@]+$/.test(value),
  "has to be an email address",
);

const geo: Check = object({ lat: degrees(90), lng: degrees(180) });

const user: Check = object(
  {
    name: text(100),
    email,
    role: satisfies(
      (value) => ROLES.some((role) => role === value),
      `has to be one of ${ROLES.join(", ")}`,
    ),
    active: satisfies((value) => typeof value === "boolean", "has to be true or false"),
    address: orNull(object({ city: text(100), geo: orNull(geo) }, ["geo"])),
    tags: list(text(40), 20),
  },
  ["role", "active", "address", "tags"],
);

/** Members that are the server's to give. */
const GIVEN = ["id", "createdAt"] as const;

/**
 * Takes a user from a request body. What the server gives may stand in it only as it is, so that an
 * answer can be changed and sent back. Throws a 422 problem with all that is wrong.
 */
export function parseUser(input: unknown, current?: User): UserDetails {
  const members = new Map(isJsonObject(input) ? Object.entries(input) : []);
  const chosen = GIVEN.filter((key) => members.has(key) && members.get(key) !== current?.[key]);
  for (const key of GIVEN) members.delete(key);
  const written = isJsonObject(input) ? Object.fromEntries(members) : input;
  const faults = [
    ...chosen.map((key) => ({ pointer: `#/${key}`, detail: "is given by the server" })),
    ...user(written, "#"),
  ];
  if (faults.length === 0) return withDefaults(written as Written);
  throw new Problem(422, "The user is not valid", { errors: faults.slice(0, MOST_FAULTS) });
}

/** What the check above lets through. */
type Written = Pick<UserDetails, "name" | "email"> & Partial<UserDetails>;

function withDefaults({ name, email, role, active, address, tags }: Written): UserDetails {
  return {
    name,
    email,
    role: role ?? "viewer",
    active: active ?? true,
    address: address ? { city: address.city, geo: address.geo ?? null } : null,
    tags: tags ?? [],
  };
}
