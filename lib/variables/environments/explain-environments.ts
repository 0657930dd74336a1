import { type Explanation, nearNames } from "../../interpolation/mod.ts";
import type { LoadedEnvironment } from "./environment.ts";

const LISTED = 8;

/**
 * Explains that a variable may be missing since no environment, or another one, was chosen.
 *
 * @param known The names of the variables that there are.
 * @returns Nothing where the environments have nothing to do with it.
 */
export function explainEnvironments(
  name: string,
  environment: LoadedEnvironment | undefined,
  known: Iterable<string>,
): Explanation | undefined {
  const { name: chosen, choices = [], names = [] } = environment ?? {};
  const [first] = names;
  const defining = choices.filter(({ variables }) => variables.has(name));
  if (first === undefined || (defining.length === 0 && nearNames(name, known).length > 0)) return;
  const message = `there is no variable "${name}"`;
  const best = defining[0]?.environment ?? first;
  if (chosen !== undefined) {
    if (defining.length === 0) return;
    const others = listed(defining.map((choice) => choice.environment));
    const verb = others.includes(",") ? "have" : "has";
    return { message, hint: `The environment in use is "${chosen}"; ${others} ${verb} it` };
  }
  const inCell = /\s/.test(best) ? "" : ` (in a cell: %env ${best})`;
  const choose = `with --env ${quoted(best)}${inCell}`;
  const files = [...new Set(choices.map(({ file }) => file))].join(", ");
  const hint =
    names.length === 1
      ? `The only environment in ${files} is "${first}"; choose it ${choose}`
      : `Environments in ${files}: ${listed(names)}; choose one ${choose}`;
  return { message, hint };
}

function listed(names: readonly string[]): string {
  const different = [...new Set(names)];
  const shown = different.slice(0, LISTED).map((name) => JSON.stringify(name));
  const more = different.length - shown.length;
  return more > 0 ? `${shown.join(", ")} and ${more} more` : shown.join(", ");
}

/** A name as a shell takes it. */
function quoted(name: string): string {
  return /^[\w.@:/-]+$/.test(name) ? name : JSON.stringify(name);
}
