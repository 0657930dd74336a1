import { REALM } from "./cell/mod.ts";
import { currentOutput, latestOutput } from "./output.ts";

/** A name of the cells that the process had a value for, or none, and how many sessions have defined it. */
interface Defined {
  sessions: number;
  readonly former: PropertyDescriptor | undefined;
  readonly own: PropertyDescriptor;
}

const defined = new Map<string, Defined>();

/**
 * Defines the names that cells see beside those of the runtime as globals, which files and packages that they load see as
 * well. Each cell gets those of its own session, also after an `await` during which another session has run; other
 * code gets what the process had before.
 *
 * @param names Those of {@link CellHooks.globals} of the session.
 * @returns What removes them after the last session that has them.
 */
export function defineCellGlobals(names: readonly string[]): () => void {
  for (const name of names) define(name);
  let isOpen = true;
  return () => {
    if (isOpen) for (const name of names) release(name);
    isOpen = false;
  };
}

function define(name: string): void {
  const known = defined.get(name);
  if (known !== undefined) {
    known.sessions += 1;
    return;
  }
  const former = Object.getOwnPropertyDescriptor(REALM, name);
  const own = createProperty(name, former);
  defined.set(name, { sessions: 1, former, own });
  Object.defineProperty(REALM, name, own);
}

function release(name: string): void {
  const known = defined.get(name);
  if (known === undefined) return;
  known.sessions -= 1;
  if (known.sessions > 0) return;
  defined.delete(name);
  const { own, former } = known;
  // Other code may have defined it anew.
  if (Object.getOwnPropertyDescriptor(REALM, name)?.get !== own.get) return;
  if (former === undefined) Reflect.deleteProperty(REALM, name);
  else Object.defineProperty(REALM, name, former);
}

/** A property with the value of the cell whose code reads it; a cell that assigns to it changes its own alone. */
function createProperty(name: string, former: PropertyDescriptor | undefined): PropertyDescriptor {
  // The name is not taken: a callback whose cell a runtime has forgotten means that of the latest one.
  const valuesOfCaller = (): object | undefined =>
    (currentOutput() ?? (former === undefined ? latestOutput() : undefined))?.globals;
  let outside: PropertyDescriptor = former ?? { value: undefined };
  return {
    configurable: true,
    enumerable: former?.enumerable ?? false,
    get: () => {
      const values = valuesOfCaller();
      if (values !== undefined && Reflect.has(values, name)) return Reflect.get(values, name);
      return outside.get === undefined ? outside.value : Reflect.apply(outside.get, REALM, []);
    },
    set: (value: unknown) => {
      const values = valuesOfCaller();
      if (values !== undefined && Reflect.has(values, name)) {
        const own = { value, writable: true, enumerable: true, configurable: true };
        Object.defineProperty(values, name, own);
      } else if (outside.set === undefined) outside = { value };
      else Reflect.apply(outside.set, REALM, [value]);
    },
  };
}
