import { memberOf } from "../interpolation/mod.ts";

/** A member of an untrusted JSON document. What is read from it is checked, and errors name its path. */
export class Member {
  readonly value: unknown;
  readonly #path: string;
  readonly #fail: (reason: string) => Error;

  /**
   * @param path Where it is, for example `log.entries[3]`; empty for the document.
   * @param fail Creates the error of a fault.
   */
  constructor(value: unknown, path: string, fail: (reason: string) => Error) {
    this.value = value;
    this.#path = path;
    this.#fail = fail;
  }

  /** The error of a fault of this member. */
  fault(reason: string): Error {
    return this.#fail(`${this.#path === "" ? "the document" : this.#path}: ${reason}`);
  }

  /** A member of this object, which may be missing. */
  at(name: string): Member {
    const path = this.#path === "" ? name : `${this.#path}.${name}`;
    return new Member(memberOf(this.value, name), path, this.#fail);
  }

  object(name: string): Member {
    this.#check("object");
    const member = this.at(name);
    member.#check("object");
    return member;
  }

  text(name: string): string {
    return this.at(name).#check("string") as string;
  }

  number(name: string): number {
    return this.at(name).#check("number") as number;
  }

  array(name: string): readonly Member[] {
    const member = this.at(name);
    const items = member.#check("array") as readonly unknown[];
    return items.map((item, index) => {
      const one = new Member(item, `${member.#path}[${index}]`, this.#fail);
      one.#check("object");
      return one;
    });
  }

  optionalObject(name: string): Member | undefined {
    return this.#isMissing(name) ? undefined : this.object(name);
  }

  optionalText(name: string): string | undefined {
    return this.#isMissing(name) ? undefined : this.text(name);
  }

  optionalNumber(name: string): number | undefined {
    return this.#isMissing(name) ? undefined : this.number(name);
  }

  optionalArray(name: string): readonly Member[] | undefined {
    return this.#isMissing(name) ? undefined : this.array(name);
  }

  /** Browsers write `null` for some members that they do not know. */
  #isMissing(name: string): boolean {
    const { value } = this.at(name);
    return value === undefined || value === null;
  }

  #check(wanted: Kind): unknown {
    const found = kindOf(this.value);
    if (found === wanted) return this.value;
    if (this.value === undefined) throw this.fault("it is missing");
    throw this.fault(
      `it is ${found === "null" ? found : WORDS[found]}; ${WORDS[wanted]} is needed`,
    );
  }
}

const WORDS = {
  object: "an object",
  array: "an array",
  string: "a string",
  number: "a number",
  boolean: "a boolean",
} as const;

type Kind = keyof typeof WORDS;

/** @param value A value of JSON. */
function kindOf(value: unknown): Kind | "null" {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : (typeof value as Kind);
}
