/** Chooses the random requests of a run: `RESTLAB_SEED=$RANDOM npx vitest run test/peers` tries others. */
export const SEED: number = Number(process.env["RESTLAB_SEED"] ?? 20_261_127);
