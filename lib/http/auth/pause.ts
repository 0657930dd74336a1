// Read here, before a session replaces the timers by those that end with the cell that started them.
const { setTimeout, clearTimeout } = globalThis;

/**
 * Waits.
 *
 * @throws The reason of the signal, at once when it is aborted.
 */
export function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = (): void => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", end);
      resolve();
    }, milliseconds);
    if (signal.aborted) end();
    else signal.addEventListener("abort", end, { once: true });
  });
}
