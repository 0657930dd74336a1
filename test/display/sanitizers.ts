import { fromHtml } from "hast-util-from-html";
import { defaultSchema, sanitize } from "hast-util-sanitize";
import { toHtml } from "hast-util-to-html";
import sanitizeHtml, { type IOptions } from "sanitize-html";

const COLOR = /^(?:#[0-9a-f]{3,8}|rgba?\([\d\s.,%]+\)|[a-z]+)$/i;
const LENGTHS = /^(?:[\d.]+(?:px|em|%)?\s*){1,4}$/;

/** JupyterLab's rules for outputs that are not trusted, as far as they touch what is written here. */
export const JUPYTERLAB: IOptions = {
  allowedTags: [
    ...["a", "audio", "b", "br", "code", "col", "colgroup", "details", "div", "em", "h1", "h2"],
    ...["h3", "h4", "h5", "h6", "hr", "i", "img", "li", "ol", "p", "pre", "small", "span"],
    ...["strong", "sub", "summary", "sup", "table", "tbody", "td", "tfoot", "th", "thead", "tr"],
    ...["ul", "video"],
  ],
  allowedAttributes: {
    "*": ["class", "dir", "hidden", "id", "lang", "style", "title"],
    a: ["accesskey", "coords", "href", "hreflang", "name", "rel", "shape", "tabindex", "target"],
    audio: ["autoplay", "controls", "loop", "muted", "preload", "src"],
    details: ["open"],
    img: ["align", "alt", "border", "height", "hspace", "name", "src", "width"],
    table: ["align", "bgcolor", "border", "cellpadding", "cellspacing", "frame", "rules", "width"],
    td: ["align", "bgcolor", "colspan", "headers", "rowspan", "scope", "valign", "width"],
    th: ["align", "bgcolor", "colspan", "headers", "rowspan", "scope", "valign", "width"],
    video: ["autoplay", "controls", "height", "loop", "muted", "poster", "preload", "src", "width"],
  },
  allowedStyles: {
    "*": {
      background: [COLOR],
      "background-color": [COLOR],
      "border-collapse": [/^(?:collapse|separate)$/],
      color: [COLOR],
      "font-weight": [/^(?:normal|bold)$/],
      margin: [LENGTHS],
      padding: [LENGTHS],
      "text-align": [/^(?:left|right|center|justify)$/],
      "vertical-align": [/^(?:top|middle|bottom)$/],
      "white-space": [/^(?:normal|pre|nowrap|pre-wrap|pre-line)$/],
    },
  },
  allowedSchemesByTag: { img: ["http", "https", "data"], audio: ["data"], video: ["data"] },
  allowProtocolRelative: true,
};

/** What is left of HTML where a well-kept sanitiser took away what its viewer does not allow. */
export const SANITIZERS: Readonly<Record<string, (html: string) => string>> = {
  "JupyterLab's (sanitize-html)": (html) => sanitizeHtml(html, JUPYTERLAB),
  "sanitize-html's own": (html) =>
    sanitizeHtml(html, {
      allowedTags: sanitizeHtml.defaults.allowedTags.concat("details", "summary"),
    }),
  "GitHub's (hast-util-sanitize)": (html) =>
    toHtml(sanitize(fromHtml(html, { fragment: true }), defaultSchema)),
};
