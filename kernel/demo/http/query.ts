import type { Context } from "hono";
import { Problem, type ProblemPart } from "./problem.ts";

interface IntegerRange {
  readonly fallback: number;
  readonly min: number;
  readonly max: number;
}

/** Reads query parameters and reports all invalid ones together. */
interface QueryReader {
  integer(parameter: string, range: IntegerRange): number;
  oneOf(parameter: string, choices: readonly string[]): string | undefined;
  /** Throws a 400 problem where a parameter was invalid. */
  finish(): void;
}

export function readQuery({ req }: Context): QueryReader {
  const errors: ProblemPart[] = [];
  return {
    integer(parameter, { fallback, min, max }) {
      const text = req.query(parameter);
      if (text === undefined) return fallback;
      const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
      if (value >= min && value <= max) return value;
      const detail = `has to be a whole number from ${min} to ${max}: it is "${text}"`;
      errors.push({ parameter, detail });
      return fallback;
    },
    oneOf(parameter, choices) {
      const text = req.query(parameter);
      if (text === undefined || choices.includes(text)) return text;
      const detail = `has to be one of ${choices.join(", ")}: it is "${text}"`;
      errors.push({ parameter, detail });
      return undefined;
    },
    finish() {
      if (errors.length > 0) throw new Problem(400, "The query is not valid", { errors });
    },
  };
}
