/**
 * ZMTP 3.1 (ZeroMQ RFC 37): greeting, commands, frames and messages, decoded and encoded.
 */

export { EndpointError, ProtocolError } from "./errors.ts";
export {
  type Command,
  encodeCommand,
  encodeError,
  encodeReady,
  latin1,
  parseCommand,
  parseProperties,
} from "./zmtp-command.ts";
export { type Frame, FrameDecoder } from "./zmtp-frame.ts";
export { encodeGreeting, GREETING_SIZE, parseGreeting } from "./zmtp-greeting.ts";
export { type EncodedMessage, encodeMessage } from "./zmtp-message.ts";
