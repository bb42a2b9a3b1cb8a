/**
 * A JSON value as the one text it has whatever the order of its properties, so that what says the same is the same.
 * Properties that are undefined are left out; lists keep their order, which may mean something.
 */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_name, inside: unknown) =>
    typeof inside === 'object' && inside !== null && !Array.isArray(inside)
      ? Object.fromEntries(Object.entries(inside).sort(byName))
      : inside,
  )
}

const byName = ([one]: [string, unknown], [other]: [string, unknown]) => (one < other ? -1 : 1)
