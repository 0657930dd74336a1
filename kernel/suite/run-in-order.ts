/**
 * Runs tasks, some at the same time, and passes on their results in the order of the items.
 *
 * @param limit How many tasks run at the same time; they start in order.
 */
export async function runInOrder<Item, Result>(
  items: readonly Item[],
  limit: number,
  run: (item: Item) => Promise<Result>,
  onResult: (result: Result) => void,
): Promise<readonly Result[]> {
  const results = new Map<number, Result>();
  let next = 0;
  let passedOn = 0;
  const work = async (): Promise<void> => {
    for (let index = next++; index < items.length; index = next++) {
      results.set(index, await run(items[index] as Item));
      for (; results.has(passedOn); passedOn++) onResult(results.get(passedOn) as Result);
    }
  };
  const workers = Array.from({ length: Math.min(limit, items.length) }, work);
  const failed = (await Promise.allSettled(workers)).find(({ status }) => status === "rejected");
  if (failed?.status === "rejected") throw failed.reason;
  return items.map((_item, index) => results.get(index) as Result);
}
