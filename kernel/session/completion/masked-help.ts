import type { Secrets } from "../../../lib/mod.ts";
import type { Completion, Inspection } from "../cell/mod.ts";

/** Completions without secrets: types of constants are their values. */
export function maskCompletion(completion: Completion, secrets: Secrets): Completion {
  const candidates = completion.candidates.map((candidate) =>
    candidate.detail === undefined
      ? candidate
      : { ...candidate, detail: secrets.mask(candidate.detail) },
  );
  const { signature, ...rest } = completion;
  return {
    ...rest,
    candidates,
    ...(signature !== undefined && { signature: secrets.mask(signature) }),
  };
}

/** What is known about a place, without secrets. */
export function maskInspection(
  found: Inspection | undefined,
  secrets: Secrets,
): Inspection | undefined {
  if (found === undefined) return undefined;
  const { signature, documentation, ...rest } = found;
  return {
    ...rest,
    signature: secrets.mask(signature),
    documentation: secrets.mask(documentation),
  };
}
