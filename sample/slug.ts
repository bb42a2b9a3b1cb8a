/** Lower-case Latin letters and digits with hyphens; empty when a name has none of them. */
export function slug(text: string): string {
  return text
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
}

/** The readable part of a store address: Apple keeps letters of every script and percent-encodes them. */
export function storeSlug(name: string): string {
  const known = storeSlugs.get(name)
  if (known !== undefined) return known
  const readable = name
    .toLowerCase()
    .replace(/[^\p{Letter}\p{Number}]+/gu, '-')
    .replace(/^-|-$/g, '')
  const encoded = encodeURIComponent(readable)
  storeSlugs.set(name, encoded)
  return encoded
}

// A cache: a few hundred names occur in a hundred thousand chart entries.
const storeSlugs = new Map<string, string>()
