/** The reference to an app in a text. */
interface Reference {
  kind: 'address' | 'id' | 'bundle id'
  value: string
}

/** The App Store address, id or bundle id that a text is; undefined where it is a name. */
export function appReferenceIn(text: string): Reference | undefined {
  if (/^https?:\/\/(apps|itunes)\.apple\.com\/.*\bid\d{1,19}\b/i.test(text))
    return { kind: 'address', value: text }
  const id = /^(?:id)?([1-9]\d{5,18})$/i.exec(text)?.[1]
  if (id) return { kind: 'id', value: id }
  return /^[a-z0-9-]+(\.[a-z0-9_-]+){2,}$/i.test(text) ? { kind: 'bundle id', value: text } : undefined
}

/** The id in the App Store that a reference names; undefined where it has none. */
export const storeIdIn = ({ kind, value }: Reference): string | undefined =>
  kind === 'id' ? value : /\bid(\d{1,19})\b/i.exec(value)?.[1]
