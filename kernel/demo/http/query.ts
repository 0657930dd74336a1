import type { Context } from "hono";
import { Problem, type ProblemPart } from "./problem.ts";

/** A whole number that a query may hold. */
export interface WholeNumber {
  readonly fallback: number;
  readonly least: number;
  readonly most: number;
}

/** A reader of query parameters that collects what is wrong and tells all of it at once. */
export interface QueryReader {
  wholeNumber(parameter: string, bounds: WholeNumber): number;
  oneOf(parameter: string, choices: readonly string[]): string | undefined;
  /** Throws a 400 problem where anything was wrong. */
  finish(): void;
}

/** Starts reading a query. */
export function readQuery({ req }: Context): QueryReader {
  const errors: ProblemPart[] = [];
  return {
    wholeNumber(parameter, { fallback, least, most }) {
      const text = req.query(parameter);
      if (text === undefined) return fallback;
      const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
      if (value >= least && value <= most) return value;
      const detail = `has to be a whole number from ${least} to ${most}: it is "${text}"`;
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
