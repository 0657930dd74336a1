import {
  type DisplayData,
  denoInspect,
  jupyterDisplay,
  nodeInspect,
  type Show,
} from "../exchange/mod.ts";
import type { CookieJar } from "../http/mod.ts";
import { HIDDEN } from "../secrets/mod.ts";

/** Makes a cookie jar display itself as a table without values, which are mostly secrets. */
export function showCookies(jar: CookieJar, show: Show): CookieJar {
  const display = (): DisplayData => show(jar.all().map((it) => ({ ...it, value: HIDDEN })));
  const text = (): string => display()["text/plain"];
  const shown = { [jupyterDisplay]: display, [nodeInspect]: text, [denoInspect]: text };
  return Object.freeze(Object.assign(jar, shown));
}
