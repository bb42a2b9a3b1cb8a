/** What the tasks give, each as soon as it is there, while so many of them run at once. They begin in their order. */
export async function* asReady<Value>(
  tasks: readonly (() => Promise<Value>)[],
  atOnce: number,
): AsyncGenerator<Value, void, void> {
  const underWay = new Map<number, Promise<{ index: number; value: Value }>>()
  let next = 0
  while (next < tasks.length || underWay.size > 0) {
    for (let task = tasks[next]; task && underWay.size < atOnce; task = tasks[next]) {
      const index = next++
      underWay.set(
        index,
        task().then((value) => ({ index, value })),
      )
    }
    const { index, value } = await Promise.race(underWay.values())
    underWay.delete(index)
    yield value
  }
}
