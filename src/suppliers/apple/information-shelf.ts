import type { Listing } from '../../domain/catalogue/listing.ts'
import { shortText } from '../../ingest/fields.ts'
import type { Compatibility, InAppPurchase } from '../../vocabulary/listing-fields.ts'

/** Fields from the information shelf of an app's page that Lookup does not carry. */
export type ShownInformation = Pick<
  Partial<Listing>,
  'inAppPurchases' | 'compatibility' | 'languagesShown' | 'sizeShown' | 'copyright' | 'contentRating'
>

/** A row of the shelf; `text` is set where the row consists of a single text. */
interface Row {
  text: string | undefined
  summary: string | undefined
  pairs: InAppPurchase[]
  devices: Compatibility[]
}

/** Most pairs and devices read from one row: Apple's hold about ten. */
const mostOfRow = 100

/**
 * Reads the rows of `shelfMapping.information`: `{title, summary?, items: [{text?, heading?, textPairs?: [[name, price]]}]}`,
 * also under `items_V3`. Titles are in the language of the storefront, so rows are recognised by their content, and languages by
 * their position after the devices. An unrecognised row is left out.
 * Source: pages of 2026 as described by parsers of public projects; Apple documents none of it.
 * @param sells what the page states elsewhere about in-app purchases; only that can state that there are none
 */
export function readInformation(items: unknown[] | undefined, sells: boolean | undefined): ShownInformation {
  const rows = (items ?? []).map(rowOf)
  const pairs = rows.find((row) => row.pairs.length > 0)?.pairs
  const devicesAt = rows.findIndex((row) => row.devices.length > 0)
  const devices = rows[devicesAt]?.devices
  const sizeShown = rows.find(({ text }) => text !== undefined && sizeForm.test(text))?.text
  const copyright = rows.find(({ text }) => text !== undefined && copyrightForm.test(text))?.text
  const rating = rows.flatMap(({ summary, text }) => summary ?? text ?? []).find((text) => ageForm.test(text))
  const after = devicesAt === -1 ? undefined : rows[devicesAt + 1]
  const languagesShown = after && isPlain(after) ? after.text : undefined
  return {
    ...(pairs ? { inAppPurchases: pairs } : sells === false ? { inAppPurchases: null } : {}),
    ...(devices ? { compatibility: devices } : {}),
    ...(languagesShown ? { languagesShown } : {}),
    ...(sizeShown ? { sizeShown } : {}),
    ...(copyright ? { copyright } : {}),
    ...(rating ? { contentRating: rating } : {}),
  }
}

/** A number and a unit of one to three letters, which every language writes its own way: `142.3 MB`, `142,3 Mo`, `142,3 МБ`. */
const sizeForm =
  /^\p{Nd}{1,4}(?:[.,٫ \u00a0\u202f]\p{Nd}{1,3})?[ \u00a0\u202f]?\p{L}{1,3}(?:\.\p{L}{1,2}\.?)?$/u
const copyrightForm = /^(?:©|℗|\(c\)|copyright\b)/i
const ageForm = /^\d{1,2}\+$/

const isPlain = ({ text, summary }: Row) =>
  text !== undefined &&
  summary === undefined &&
  !sizeForm.test(text) &&
  !copyrightForm.test(text) &&
  !ageForm.test(text)

function rowOf(item: unknown): Row {
  const lines = listAt(item, 'items') ?? listAt(item, 'items_V3') ?? []
  const texts = lines.slice(0, mostOfRow)
  return {
    text:
      texts.length === 1 && textAt(texts[0], 'heading') === undefined ? textAt(texts[0], 'text') : undefined,
    summary: textAt(item, 'summary'),
    pairs: texts.flatMap((line) => (listAt(line, 'textPairs') ?? []).slice(0, mostOfRow).flatMap(pairOf)),
    devices: texts.flatMap((line) => {
      const [device, requirement] = [textAt(line, 'heading'), textAt(line, 'text')]
      return device && requirement ? [{ device, requirement }] : []
    }),
  }
}

function pairOf(pair: unknown): InAppPurchase[] {
  if (!Array.isArray(pair) || pair.length !== 2) return []
  const [name, price] = pair.map((part) => shortText.safeParse(part).data)
  return name && price ? [{ name, price }] : []
}

function listAt(value: unknown, key: string): unknown[] | undefined {
  const found = own(value, key)
  return Array.isArray(found) && found.length > 0 ? found : undefined
}

function textAt(value: unknown, key: string): string | undefined {
  return shortText.safeParse(own(value, key)).data || undefined
}

function own(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
  return (value as Record<string, unknown>)[key]
}
