import process from "node:process";

/** Handles a signal; returns a function that removes the handler. */
export function onSignal(signal: NodeJS.Signals, handler: () => void): () => void {
  process.on(signal, handler);
  return () => void process.off(signal, handler);
}

export async function exit(status: number): Promise<never> {
  await Promise.all([process.stdout, process.stderr].map(flushed));
  // A cell may have set the exit status.
  process.exit(status === 0 ? process.exitCode : status);
}

/**
 * Resolves when all output has been written. Bun 1.4 calls back as soon as data is queued, except at the
 * end of a stream.
 */
function flushed(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => {
    if (stream.destroyed || stream.writableEnded) resolve();
    else if (process.versions["bun"] !== undefined) stream.end(resolve);
    else stream.write("", () => resolve());
  });
}

/**
 * Node 20.19 warns when CommonJS loads an ES module, as a cell with an import does. Remove this when Node
 * 22.13, which does not warn, is the oldest supported version.
 */
export function silenceWarnings(): void {
  const emitWarning = process.emitWarning.bind(process);
  process.emitWarning = ((warning: string | Error, ...rest: [never]) => {
    if (String(warning).includes("loading ES Module")) return;
    emitWarning(warning, ...rest);
  }) as typeof process.emitWarning;
}
