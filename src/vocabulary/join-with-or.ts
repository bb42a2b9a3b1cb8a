/** Such as `meta, tiktok or snap`. `Intl.ListFormat` says the same, and takes a tenth of the time of most commands to load. */
export function joinWithOr(words: Iterable<string>): string {
  const before = [...words]
  const last = before.pop() ?? ''
  return before.length === 0 ? last : `${before.join(', ')} or ${last}`
}
