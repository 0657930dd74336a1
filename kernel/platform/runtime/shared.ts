import process from "node:process";

export function onInterrupt(handler: () => void): () => void {
  process.on("SIGINT", handler);
  return () => {
    process.off("SIGINT", handler);
  };
}

export function onTermination(handler: () => void): () => void {
  process.on("SIGTERM", handler);
  return () => {
    process.off("SIGTERM", handler);
  };
}

export async function exit(status: number): Promise<never> {
  await Promise.all([process.stdout, process.stderr].map(flushed));
  // As everywhere, what a cell has set is the status where nothing else went wrong.
  process.exit(status === 0 ? process.exitCode : status);
}

/**
 * Resolves when all that was written before has left the process. Bun 1.4 calls back as soon as a
 * piece is queued, and tells the truth only about the end of a stream.
 */
function flushed(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => {
    if (stream.destroyed || stream.writableEnded) resolve();
    else if (process.versions["bun"] !== undefined) stream.end(resolve);
    else stream.write("", () => resolve());
  });
}

/**
 * Node 20.19 warns when CommonJS loads an ES module, which every cell that imports one does.
 * To be removed when Node 22.13, which no longer warns, is the oldest one that we run on.
 */
export function silenceWarnings(): void {
  const emitWarning = process.emitWarning.bind(process);
  process.emitWarning = ((warning: string | Error, ...rest: [never]) => {
    if (String(warning).includes("loading ES Module")) return;
    emitWarning(warning, ...rest);
  }) as typeof process.emitWarning;
}
