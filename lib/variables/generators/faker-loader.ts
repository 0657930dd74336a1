import { messageOf } from "../../exchange/mod.ts";
import type { Faker } from "./faker.ts";

/** Loads `@faker-js/faker` when a text first needs it. */
export interface FakerLoader {
  /** The library, or why it is not loaded. */
  readonly faker: Faker | string;
  /** Whether it cannot be loaded here, but may be loaded where the text is sent. */
  readonly isElsewhere: boolean;
  load(): Promise<void>;
}

/** Creates the loader of a client. */
export function createFakerLoader(loadFaker: (() => Promise<unknown>) | undefined): FakerLoader {
  let faker: Faker | string = "nothing loads it: give createClient loadFaker";
  let isElsewhere = false;
  return {
    get faker() {
      return faker;
    },
    get isElsewhere() {
      return isElsewhere;
    },
    async load() {
      if (typeof faker !== "string" || loadFaker === undefined) return;
      try {
        const loaded = await loadFaker();
        isElsewhere = loaded === undefined;
        if (!isElsewhere) faker = toFaker(loaded);
      } catch (error) {
        const [reason] = messageOf(error).split("\n", 1);
        faker = `loading it failed: ${reason}; install it with npm install @faker-js/faker`;
      }
    },
  };
}

/** The module itself, its export `faker`, or that of the default export of a CommonJS module. */
function toFaker(module: unknown): Faker {
  const { faker, default: inner } = module as { faker?: unknown; default?: { faker?: unknown } };
  const found = (faker ?? inner?.faker ?? module) as Partial<Faker> | null;
  if (typeof found?.seed === "function") return found as Faker;
  throw new TypeError("the loaded module is not faker");
}
