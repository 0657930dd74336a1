import { ownedFetch } from "./owned-fetch.ts";
import { ownedTimers } from "./owned-timers.ts";

/**
 * Replaces the runtime's timers and fetch by those that end with the owner of a cell. For other code
 * they work as before.
 *
 * @returns What restores those that were not replaced again meanwhile.
 */
export function installOwnedGlobals(): () => void {
  const undo = Object.entries({ ...ownedTimers, fetch: ownedFetch }).map(([name, value]) => {
    const original = Object.getOwnPropertyDescriptor(globalThis, name);
    if (original === undefined) return () => undefined;
    const { enumerable = true } = original;
    Object.defineProperty(globalThis, name, {
      value,
      enumerable,
      writable: true,
      configurable: true,
    });
    return () => {
      if (Reflect.get(globalThis, name) !== value) return;
      Object.defineProperty(globalThis, name, original);
    };
  });
  return () => {
    for (const restore of undo) restore();
  };
}
