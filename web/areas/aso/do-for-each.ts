/** The outcome of an action on several items. */
export interface Outcome<Item> {
  done: Item[]
  /** The items that failed, and those not attempted after the first failure or a stop. */
  left: Item[]
  /** The first failure; none when all were done or somebody stopped. */
  error: unknown
}

/**
 * Does something for each item, a few at a time. The first failure ends it: what is under way is finished, and the rest is
 * handed back.
 */
export async function doForEach<Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<unknown>,
  options: { atOnce: number; signal?: AbortSignal; onDone?: (done: number) => void },
): Promise<Outcome<Item>> {
  const done = new Set<Item>()
  let next = 0
  let error: unknown
  const goOn = async (): Promise<void> => {
    while (next < items.length && error === undefined && !options.signal?.aborted) {
      const item = items[next++] as Item
      try {
        await work(item)
        done.add(item)
        options.onDone?.(done.size)
      } catch (failure) {
        error ??= failure
      }
    }
  }
  await Promise.all(Array.from({ length: options.atOnce }, goOn))
  return { done: [...done], left: items.filter((item) => !done.has(item)), error }
}
