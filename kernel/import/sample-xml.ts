import { isRecord, memberOf } from "../../lib/interpolation/mod.ts";
import { oneLine, toIdentifier } from "./collection.ts";
import type { SampleContext } from "./sample-schema.ts";
import { listOf, scalarText, textOf } from "./values.ts";

/** Schemas that refer to each other in a circle end here; the values of a sample are not nested deeper. */
const DEEPEST = 12;

/**
 * Writes a sampled value as XML, with the names, attributes, namespaces and wrappers that its schema says.
 *
 * @param name The name of the element, where the schema has none.
 * @see https://spec.openapis.org/oas/v3.1.1.html#xml-object
 */
export function writeXml(
  name: string,
  value: unknown,
  schema: unknown,
  { resolve }: SampleContext,
): string {
  /** The schema of a member, in whichever part of a composed schema it stands. */
  function memberSchema(written: unknown, key: string, depth = 0): unknown {
    const found = resolve(written);
    const own = memberOf(memberOf(found, "properties"), key);
    if (own !== undefined || depth > DEEPEST) return own;
    for (const kind of ["allOf", "oneOf", "anyOf"]) {
      for (const part of listOf(memberOf(found, kind))) {
        const member = memberSchema(part, key, depth + 1);
        if (member !== undefined) return member;
      }
    }
    return undefined;
  }

  function* elements(
    usual: string,
    content: unknown,
    written: unknown,
    indent: string,
  ): Generator<string> {
    const found = resolve(written);
    const xml = memberOf(found, "xml");
    const tag = nameOf(usual, xml);
    if (Array.isArray(content)) {
      const items = memberOf(found, "items");
      const isWrapped = memberOf(xml, "wrapped") === true;
      const inner = isWrapped ? `${indent}  ` : indent;
      if (isWrapped) yield `${indent}<${tag}>`;
      for (const item of content) yield* elements(isWrapped ? tag : usual, item, items, inner);
      if (isWrapped) yield `${indent}</${tag}>`;
      return;
    }
    const members = isRecord(content) ? Object.entries(content) : [];
    const typed = members.map(([key, one]) => ({ key, one, schema: memberSchema(found, key) }));
    const isAttribute = (one: (typeof typed)[number]): boolean =>
      memberOf(memberOf(resolve(one.schema), "xml"), "attribute") === true;
    const attributes = typed.filter(isAttribute).map((one) => {
      const attribute = nameOf(one.key, memberOf(resolve(one.schema), "xml"));
      return ` ${attribute}="${escapeXml(scalarText(one.one))}"`;
    });
    const start = `${indent}<${tag}${namespaceOf(xml)}${attributes.join("")}`;
    const children = typed.filter((one) => !isAttribute(one));
    if (!isRecord(content)) yield `${start}>${escapeXml(scalarText(content))}</${tag}>`;
    else if (children.length === 0) yield `${start}/>`;
    else {
      yield `${start}>`;
      for (const one of children) yield* elements(one.key, one.one, one.schema, `${indent}  `);
      yield `${indent}</${tag}>`;
    }
  }

  return [...elements(name, value, schema, "")].join("\n");
}

function nameOf(usual: string, xml: unknown): string {
  const prefix = textOf(memberOf(xml, "prefix"));
  const name = toIdentifier(textOf(memberOf(xml, "name")) ?? usual, "item");
  return prefix === undefined ? name : `${toIdentifier(prefix, "ns")}:${name}`;
}

function namespaceOf(xml: unknown): string {
  const [namespace, prefix] = ["namespace", "prefix"].map((key) => textOf(memberOf(xml, key)));
  if (namespace === undefined) return "";
  const name = prefix === undefined ? "xmlns" : `xmlns:${toIdentifier(prefix, "ns")}`;
  return ` ${name}="${escapeXml(namespace)}"`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
};

function escapeXml(text: string): string {
  return oneLine(text).replace(/[&<>"]/g, (sign) => ENTITIES[sign] ?? sign);
}
