/** What cells share: each exports its names into it, and reads those of the cells before it. */
export interface CellScope {
  readonly exports: Record<string, unknown>;
  /** The variables of the cells, with their values at this moment. */
  readonly variables: Pick<ReadonlyMap<string, unknown>, "get" | "has" | "keys">;
  /** Takes a value out. */
  take(name: string): unknown;
  clear(): void;
}

/** Creates an empty scope. */
export function createCellScope(): CellScope {
  const values: Record<string, unknown> = {};
  const exports = new Proxy(values, {
    // The compiler exports what a cell imports by a getter, and a later cell may assign to it.
    defineProperty: (target, name, { get, value }) => {
      if (name === "__esModule") return true;
      return Reflect.defineProperty(target, name, {
        value: get === undefined ? value : get(),
        writable: true,
        enumerable: true,
        configurable: true,
      });
    },
  });
  return {
    exports,
    variables: {
      get: (name) => (Object.hasOwn(values, name) ? values[name] : undefined),
      has: (name) => Object.hasOwn(values, name),
      keys: () => Object.keys(values).values(),
    },
    take: (name) => {
      const value = values[name];
      delete values[name];
      return value;
    },
    clear: () => {
      for (const name of Object.keys(values)) delete values[name];
    },
  };
}
