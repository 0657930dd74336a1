import { toVisibleText } from "../../../lib/display/mod.ts";
import type { Secrets, StreamMasker } from "../../../lib/mod.ts";
import { type BodyStyle, prettyBody } from "./pretty-body.ts";

/** Writes the text of a stream while it arrives. */
export interface LiveBody {
  /** Begins another body. */
  begin(mediaType: string): void;
  write(bytes: Uint8Array): void;
  /** Writes what was held back. */
  end(): void;
}

/**
 * Creates a writer of streams.
 *
 * @param secrets Masked at a terminal; a pipe gets data unchanged.
 */
export function createLiveBody(
  write: (text: string) => void,
  style: BodyStyle,
  secrets: Secrets | undefined,
): LiveBody {
  let decoder = new TextDecoder();
  let masker: StreamMasker | undefined;
  let type = "";
  const emit = (text: string): void => {
    if (text === "") return;
    write(prettyBody(secrets === undefined ? text : toVisibleText(text), type, style));
  };
  const end = (): void => {
    const rest = decoder.decode();
    emit(masker === undefined ? rest : masker.write(rest) + masker.end());
    masker = undefined;
  };
  return {
    begin: (mediaType) => {
      end();
      decoder = new TextDecoder();
      masker = secrets?.openStream();
      type = mediaType;
    },
    write: (bytes) => {
      const text = decoder.decode(bytes, { stream: true });
      // What may begin a secret is not held back: an event has to be seen when it comes.
      emit(masker === undefined ? text : masker.write(text) + masker.release());
    },
    end,
  };
}
