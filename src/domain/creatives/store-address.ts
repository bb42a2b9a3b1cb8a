/** An App Store address of an app, as found in a text. */
export interface StoreAddress {
  /** Digits. */
  storeId: string
  /** As found, without anything after the id. */
  text: string
}

/**
 * App Store addresses of apps only: `/app/` with an id, at any depth and with any name between, or the older
 * `viewSoftware?id=`. The host must be Apple's: preceded by nothing or by `//`, and followed by the path.
 */
const address =
  /(?<![A-Za-z0-9._@/-]|\/\/[^\s/]*@)(?:[a-z][a-z-]{1,20}:\/\/)?(?:geo\.)?(?:apps|itunes)\.apple\.com(?::\d+)?\/(?:(?:[a-z]{2}(?:-[a-z]{2})?\/)?app\/(?:[^\s/?#"'<>()]{1,400}\/)?(?:id)?(\d{6,19})(?![\p{L}\p{N}])|WebObjects\/MZStore\.woa\/wa\/viewSoftware\?(?:[^\s"'<>()]{0,400}?[&;])?id=(\d{6,19})(?!\d))/giu

/** The App Store addresses in a text, each app once, in order; including those escaped inside other addresses. */
export function storeAddressesIn(text: string): StoreAddress[] {
  if (!/apple\.com/i.test(text)) return []
  const found = new Map<string, StoreAddress>()
  for (const readable of [text, unescaped(text)]) {
    for (const [whole, inPath, inQuery] of readable.matchAll(address)) {
      const storeId = (inPath ?? inQuery ?? '').replace(/^0+/, '')
      if (storeId !== '' && BigInt(storeId) < 2n ** 63n && !found.has(storeId))
        found.set(storeId, { storeId, text: whole })
    }
  }
  return [...found.values()]
}

/** Networks wrap addresses in addresses of their own: `?q=https%3A%2F%2Fapps.apple.com%2F…`. */
function unescaped(text: string): string {
  return text.replace(/[a-z]{1,20}%3a%2f%2f[^\s&"'<>]+/gi, (part) => {
    try {
      return ` ${decodeURIComponent(part)}`
    } catch {
      return part
    }
  })
}
