/** A command line of HTTPie cannot be translated; the message says why and what to do. */
export class HttpieError extends Error {
  override readonly name = "HttpieError";
}
