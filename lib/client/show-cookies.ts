import type { CookieJar } from "../cookies/mod.ts";
import { HIDDEN } from "../secrets/mod.ts";
import { type DisplayData, jupyterDisplay } from "./exchange.ts";
import { denoInspect, nodeInspect, type Show } from "./show.ts";

/** Lets a jar show itself as a table; the values are secrets more often than not. */
export function showCookies(jar: CookieJar, show: Show): CookieJar {
  const display = (): DisplayData => show(jar.all().map((it) => ({ ...it, value: HIDDEN })));
  const text = (): string => display()["text/plain"];
  const shown = { [jupyterDisplay]: display, [nodeInspect]: text, [denoInspect]: text };
  return Object.freeze(Object.assign(jar, shown));
}
