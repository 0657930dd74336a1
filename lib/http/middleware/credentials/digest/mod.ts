/**
 * HTTP Digest (RFC 7616): the challenge, the hashes, the response.
 */

export { createDigest } from "./authorizer.ts";
