const browsers: readonly [name: string, sign: RegExp][] = [
  ['Edge', /\bEdg(?:A|iOS)?\//],
  ['Opera', /\bOPR\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:Chrome|CriOS|HeadlessChrome)\//],
  ['Safari', /\bSafari\//],
]

const systems: readonly [name: string, sign: RegExp][] = [
  ['Windows', /\bWindows\b/],
  ['Android', /\bAndroid\b/],
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['macOS', /\bMacintosh\b/],
  ['Linux', /\bLinux\b/],
]

/** A description of a browser, such as `Firefox on Linux`, by which people recognise their own; null for unknown ones. */
export function browserIn(userAgent: string | undefined): string | null {
  const named = (list: readonly [string, RegExp][]) => list.find(([, sign]) => sign.test(userAgent ?? ''))?.[0]
  const [browser, system] = [named(browsers), named(systems)]
  if (browser === undefined) return null
  return system === undefined ? browser : `${browser} on ${system}`
}
