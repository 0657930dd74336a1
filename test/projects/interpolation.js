import { interpolate } from "restlab/interpolate";

globalThis.greeting = interpolate("Hello {{name}}", { name: "Ada" });
