/**
 * The template language alone, as `restlab/interpolate`: text with placeholders, filled with values.
 *
 * ```ts
 * import { interpolate } from "restlab/interpolate";
 *
 * interpolate("Hello {{user.name}}", { user: { name: "Ada" } }); // "Hello Ada"
 * ```
 *
 * @module
 */

export {
  type Encoding,
  type Explanation,
  type Fault,
  type Faulty,
  type Generated,
  type GeneratedPlaceholder,
  interpolate,
  type NumberText,
  type Part,
  type PathPlaceholder,
  type Place,
  type Placeholder,
  type Reference,
  renderJson,
  type Scope,
  type SourceText,
  type Span,
  type Template,
  TemplateSyntaxError,
  UnresolvedPlaceholderError,
  type Value,
  type ValuePath,
  type Variables,
} from "./interpolation/mod.ts";
