/** A class of a program. */
export class User {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

/** Values that JSON has no form for, and what their plain text contains on every runtime. */
export const PROGRAM_VALUES: readonly (readonly [name: string, value: unknown, text: string])[] = [
  ["a list", [1, 2, 3], "[1,2,3]"],
  ["a negative zero", { zero: -0 }, '"zero":-0'],
  ["a pattern", { pattern: /x/g }, '"pattern":/x/g'],
  ["an instance", { user: new User("Ada") }, 'User {"name":"Ada"}'],
  ["a class", { User }, "[class User]"],
  ["a Map", new Map([["a", new Set([1])]]), 'Map(1) {"a":Set(1) [1]}'],
  ["a function", { max: Math.max }, "[Function: max]"],
  ["bytes", { bytes: new Uint8Array([1, 2]) }, "<Uint8Array 01 02>"],
];
