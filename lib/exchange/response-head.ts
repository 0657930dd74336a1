/** The status and the headers of a response. */
export interface ResponseHead {
  /** The URL of the response, after redirects. */
  readonly url: string;
  /** The status code. */
  readonly status: number;
  /** The reason phrase, as the runtime returns it. */
  readonly statusText: string;
  /** The headers. */
  readonly headers: Headers;
  /** `type/subtype` in lower case, or an empty string. */
  readonly mediaType: string;
}
