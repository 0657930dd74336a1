/** Names are few, and those of hostile answers are not: beyond so many, all are forgotten. */
const MEMORY = 2_000;

/** Remembers what was decided of a name, since the same ones come again and again. */
export function remember<Decision>(decide: (name: string) => Decision): (name: string) => Decision {
  const known = new Map<string, { readonly decision: Decision }>();
  return (name) => {
    const before = known.get(name);
    if (before !== undefined) return before.decision;
    if (known.size >= MEMORY) known.clear();
    const decision = decide(name);
    known.set(name, { decision });
    return decision;
  };
}
