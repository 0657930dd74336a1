/** A parsed Content-Type. */
export interface MediaType {
  /** `type/subtype` in lower case, or an empty string. */
  readonly essence: string;
  /** The `charset` parameter, or `undefined`. */
  readonly charset: string | undefined;
}

const ESSENCE = /^[ \t]*([\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+)[ \t]*(?:;|$)/;
const CHARSET = /;[ \t]*charset[ \t]*=[ \t]*(?:"((?:[^"\\]|\\.)*)"|([^\s;"]+))/i;

/** Parses a Content-Type (RFC 9110, 8.3); a missing or invalid one has no essence. */
export function parseMediaType(contentType: string | null): MediaType {
  if (contentType === null) return { essence: "", charset: undefined };
  const charset = CHARSET.exec(contentType);
  return {
    essence: ESSENCE.exec(contentType)?.[1]?.toLowerCase() ?? "",
    charset: charset?.[2] ?? charset?.[1]?.replace(/\\(.)/g, "$1"),
  };
}
