import { ownedFetch } from "./owned-fetch.ts";
import { ownedTimers } from "./owned-timers.ts";

/**
 * Puts functions into the place of the runtime's that let what cells begin end with their owners;
 * outside of cells they do what those do.
 *
 * @returns What gives the runtime's own back, where nobody has put in others meanwhile.
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
    for (const each of undo) each();
  };
}
