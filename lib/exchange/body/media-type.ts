/** A Content-Type, taken apart. */
export interface MediaType {
  /** `type/subtype` in lower case, or an empty string. */
  readonly essence: string;
  /** The `charset` parameter, or `undefined`. */
  readonly charset: string | undefined;
}

const ESSENCE = /^[ \t]*([\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+)[ \t]*(?:;|$)/;
const CHARSET = /;[ \t]*charset[ \t]*=[ \t]*(?:"((?:[^"\\]|\\.)*)"|([^\s;"]+))/i;

const NONE: MediaType = { essence: "", charset: undefined };

/** Takes a Content-Type apart; one that is missing or broken has no essence. */
export function parseMediaType(contentType: string | null): MediaType {
  if (contentType === null) return NONE;
  if (last?.contentType === contentType) return last.type;
  const charset = CHARSET.exec(contentType);
  const type = {
    essence: ESSENCE.exec(contentType)?.[1]?.toLowerCase() ?? "",
    charset: charset?.[2] ?? charset?.[1]?.replace(/\\(.)/g, "$1"),
  };
  last = { contentType, type };
  return type;
}

/** One answer asks for its type several times, and the next has the same more often than not. */
let last: { readonly contentType: string; readonly type: MediaType } | undefined;
