/**
 * JSON Schema: values are validated by schemas of draft 4 to 2020-12 and of OpenAPI 3.0 and 3.1, with numbers of any
 * length. It loads nothing, and waits for nothing.
 */

export type { Direction } from "./direction.ts";
export {
  type Dialect,
  decodePointerStep,
  dialectOf,
  type Located,
  type Resource,
  SchemaError,
  Schemas,
} from "./schemas.ts";
export { type SchemaFault, validate } from "./validate.ts";
