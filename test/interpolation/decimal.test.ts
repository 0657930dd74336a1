import fc from "fast-check";
import { expect, test } from "vitest";
import { addNumbers, compareNumbers } from "../../lib/interpolation/mod.ts";

test.each<[one: string, sign: "<" | "=" | ">", other: string]>([
  ["0", "=", "-0.00e9"],
  ["1e3", "=", "1000.0"],
  ["0.10", "=", "1e-1"],
  ["9007199254740993", ">", "9007199254740992"],
  ["1.00000000000000001", ">", "1"],
  ["-1.00000000000000001", "<", "-1"],
  ["-2", "<", "1"],
  ["0", "<", "1e-400"],
  ["-1e-400", "<", "0"],
  ["1e400", ">", "9e399"],
  ["1e99999999999999999999", ">", "1e99999999999999999998"],
  ["12", "<", "100"],
  ["99", "<", "100"],
  ["1.5", "<", "1.51"],
])("%s %s %s", (one, sign, other) => {
  expect([compareNumbers(one, other), compareNumbers(other, one)].map(Math.sign)).toEqual(
    { "<": [-1, 1], "=": [0, 0], ">": [1, -1] }[sign].map((number) => number),
  );
});

test("doubles are compared as doubles are", () => {
  const double = fc.double({ noNaN: true, noDefaultInfinity: true });
  fc.assert(
    fc.property(double, double, (one, other) => {
      expect(Math.sign(compareNumbers(String(one), String(other)))).toBe(
        Math.sign(one - other) + 0,
      );
    }),
  );
});

test("whole numbers are compared as bigints are", () => {
  const whole = fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n });
  fc.assert(
    fc.property(whole, whole, (one, other) => {
      const sign = one < other ? -1 : one > other ? 1 : 0;
      expect(Math.sign(compareNumbers(`${one}`, `${other}`))).toBe(sign);
    }),
  );
});

test("sums are those of bigints", () => {
  const whole = fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n });
  fc.assert(
    fc.property(whole, whole, fc.nat(20), (one, other, places) => {
      const sum = addNumbers(`${one}e-${places}`, `${other}e-${places}`);
      expect(compareNumbers(sum, `${one + other}e-${places}`)).toBe(0);
    }),
  );
  expect(addNumbers("1e999999999", "1")).toBe("1e999999999");
});
