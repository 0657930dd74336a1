/** HTTP Digest access authentication (RFC 7616). */

export { createDigest } from "./authorizer.ts";
