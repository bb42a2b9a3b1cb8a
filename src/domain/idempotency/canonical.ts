/**
 * A JSON value as canonical text, independent of the order of properties, so that equal values have equal texts. Properties
 * that are undefined are left out; lists keep their order, which may have a meaning.
 */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_name, inside: unknown) =>
    typeof inside === 'object' && inside !== null && !Array.isArray(inside)
      ? Object.fromEntries(Object.entries(inside).sort(byName))
      : inside,
  )
}

const byName = ([one]: [string, unknown], [other]: [string, unknown]) => (one < other ? -1 : 1)
