import {
  type Generated,
  parseTemplate,
  resolvePlaceholder,
  type Value,
} from "../../interpolation/mod.ts";

/**
 * Finds a member of `$global` of httpYac's scripts, for `{{$global.login.token}}`.
 *
 * @param path What follows `$global`.
 * @param members The members; `undefined` if no script has set one.
 */
export function memberOfGlobal(path: string, members: Value | undefined): Generated {
  const hint = `Run a script first that sets it: $global${path} = …`;
  if (!/^[.[]/.test(path)) return { message: "it has no value itself", hint: "Write $global.name" };
  const [placeholder] = parseTemplate(`{{global${path}}}`).parts;
  const found =
    typeof placeholder === "object" && members !== undefined
      ? resolvePlaceholder(placeholder, { global: members })
      : undefined;
  return found === undefined ? { message: "no script has set it", hint } : { value: found };
}
