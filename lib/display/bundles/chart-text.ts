import { isRecord } from "../../interpolation/mod.ts";
import { type Block, createViewContext, viewStructure } from "../blocks/mod.ts";

type Spec = Readonly<Record<string, unknown>>;

/** Describes a Vega-Lite specification, with its values as a table. */
export function viewVegaLite(spec: Spec): readonly Block[] {
  const mark = isRecord(spec["mark"]) ? spec["mark"]["type"] : spec["mark"];
  const channels = isRecord(spec["encoding"]) ? Object.values(spec["encoding"]) : [];
  const fields = channels.flatMap((one) => (isRecord(one) ? [one["field"]] : []));
  const kind = typeof mark === "string" ? `, ${mark} of ${listed(fields)}` : "";
  const data = isRecord(spec["data"]) ? spec["data"]["values"] : undefined;
  return [heading("Vega-Lite chart", spec["title"], kind), ...viewRows(data)];
}

/** Describes a Plotly figure, with the points of its first trace as a table. */
export function viewPlotly(spec: Spec): readonly Block[] {
  const traces = Array.isArray(spec["data"]) ? spec["data"].filter(isRecord) : [];
  const { layout } = spec;
  const title = isRecord(layout) ? layout["title"] : undefined;
  const kinds = traces.map((trace) => trace["name"] ?? trace["type"] ?? "scatter");
  const [first] = traces;
  return [
    heading("Plotly chart", title, `, ${listed(kinds)}`),
    ...viewRows(first && pointsOf(first)),
  ];
}

function heading(what: string, title: unknown, details: string): Block {
  const text = isRecord(title) ? title["text"] : title;
  const named = typeof text === "string" ? ` "${text}"` : "";
  return { kind: "note", level: "info", text: `${what}${named}${details}` };
}

function listed(names: readonly unknown[]): string {
  const texts = names.filter((name): name is string => typeof name === "string");
  return texts.length === 0 ? "data" : texts.slice(0, 8).join(", ");
}

function pointsOf({ x, y, labels, values }: Spec): unknown {
  const [across, up] = Array.isArray(labels) ? [labels, values] : [x, y];
  if (!Array.isArray(across) || !Array.isArray(up)) return undefined;
  return across.map((one, at) => ({ x: one, y: up[at] }));
}

function viewRows(rows: unknown): readonly Block[] {
  return Array.isArray(rows) && rows.length > 0 ? [viewStructure(rows, createViewContext())] : [];
}
