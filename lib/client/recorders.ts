import { type Exchange, UnsendableRequestError } from "../exchange/mod.ts";
import { createRecorder, type OpenGrowingFile, type Recorder } from "../har/mod.ts";

/** The recorders of a client. */
export interface Recorders {
  /** Adds an exchange to all of them. */
  add(exchange: Exchange): void;
  /**
   * Starts a recorder, or returns the one that is writing to the path: a cell may be run again.
   *
   * @throws {UnsendableRequestError} The client cannot write files.
   * @throws {Error} The file cannot be written.
   */
  start(path: string): Promise<Recorder>;
}

/** Creates an empty set of recorders. */
export function createRecorders(open: OpenGrowingFile | undefined): Recorders {
  const running = new Map<string, Promise<Recorder>>();
  const active = new Set<Recorder>();

  async function startAt(path: string, openFile: OpenGrowingFile): Promise<Recorder> {
    const recorder = await createRecorder(openFile, path);
    active.add(recorder);
    return Object.freeze({
      path: recorder.path,
      get count() {
        return recorder.count;
      },
      add: recorder.add,
      stop() {
        // Its path may belong to another recorder by now.
        if (!active.delete(recorder)) return;
        running.delete(path);
        recorder.stop();
      },
    });
  }

  return {
    add: (exchange) => {
      for (const recorder of active) recorder.add(exchange);
    },
    async start(path) {
      if (open === undefined) {
        throw new UnsendableRequestError(
          `Cannot record to "${path}": this client cannot write files; pass openGrowingFile of ` +
            "restlab/platform to createClient",
        );
      }
      const known = running.get(path);
      if (known !== undefined) return await known;
      const started = startAt(path, open);
      running.set(path, started);
      started.catch(() => running.delete(path));
      return await started;
    },
  };
}
