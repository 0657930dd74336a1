/** The beginning of an answer, before its body. */
export interface ResponseHead {
  /** Where the answer comes from, after redirects. */
  readonly url: string;
  /** The status code. */
  readonly status: number;
  /** The reason phrase, as the runtime gives it. */
  readonly statusText: string;
  /** The headers of the answer. */
  readonly headers: Headers;
  /** `type/subtype` in lower case, or an empty string. */
  readonly mediaType: string;
}
