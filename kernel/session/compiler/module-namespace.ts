/** The global function that cells and local files create a namespace with, in place of the compiler's. */
const CREATE = "__restlab_namespace__";
const OF_COMPILER = "(this && this.__importStar)";

/** Makes `import * as name` of translated code create the namespace of {@link namespaceOf}. */
export function withNamespaces(code: string): string {
  if (!code.includes(OF_COMPILER)) return code;
  if (!Object.hasOwn(globalThis, CREATE)) {
    Object.defineProperty(globalThis, CREATE, { value: namespaceOf });
  }
  return code.replace(OF_COMPILER, CREATE);
}

/**
 * The namespace of a module of CommonJS: its exports as they are when it is imported, as in Node. The compiler's own
 * has getters alone, which a console does not call.
 */
function namespaceOf(exported: unknown): unknown {
  const isObject = typeof exported === "object" || typeof exported === "function";
  if (isObject && exported !== null && Reflect.get(exported, "__esModule")) return exported;
  const namespace: object = Object.create(null);
  for (const key of Object.getOwnPropertyNames(Object(exported))) {
    if (key === "default") continue;
    const { get, value } = Object.getOwnPropertyDescriptor(exported, key) ?? {};
    const read = (): unknown => Reflect.get(Object(exported), key);
    const property = get === undefined ? { value } : { get: read };
    Object.defineProperty(namespace, key, { ...property, enumerable: true });
  }
  Object.defineProperty(namespace, "default", { enumerable: true, value: exported });
  return Object.defineProperty(namespace, Symbol.toStringTag, { value: "Module" });
}
