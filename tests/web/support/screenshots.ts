import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pixelmatch from 'pixelmatch'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { until } from '../../support/until.ts'
import { settled } from './visitor.ts'

/** The last accepted looks, as small pictures: layout and colour can be compared on them, single letters cannot. */
export const accepted = new URL('../accepted/', import.meta.url)
/** Where the screenshots of this run go, whole: CI keeps them as artefacts. */
const taken = fileURLToPath(new URL('../../../.scratch/screenshots/', import.meta.url))

/** The accepted looks are narrower than the screenshots by this factor: other machines have other fonts. */
const smaller = 5
/** The share of points that may differ, and from what difference of colour on a point counts. */
const tolerance = { share: 0.06, colour: 0.2 }

/** Waits until a page has what it asked for, and all of its tables have their rows. */
export async function whole(page: Page): Promise<void> {
  await settled(page)
  // Home keeps what is below its sections hidden until these have come, and rows are drawn once their table has its size.
  const withoutRows = page
    .locator('table[aria-rowcount]:not([aria-rowcount="1"]):not(:has(tr[data-index]))')
    .filter({ visible: true })
  await until(
    () => withoutRows.count(),
    (count) => count === 0,
  )
}

/** The points of a picture, four bytes each. */
export interface Pixels {
  data: Buffer
  info: { width: number; height: number }
}

/** A screenshot in the size of the accepted looks. */
export async function asAccepted(screenshot: Buffer): Promise<Pixels> {
  const { width = 0, height = 0 } = await sharp(screenshot).metadata()
  const size = { width: Math.round(width / smaller), height: Math.round(height / smaller) }
  return sharp(screenshot).resize(size).ensureAlpha().raw().toBuffer({ resolveWithObject: true })
}

/** The points of a picture in a file. */
export const pixelsOf = (picture: Buffer): Promise<Pixels> =>
  sharp(picture).ensureAlpha().raw().toBuffer({ resolveWithObject: true })

/** The share of points in which two pictures differ, and a picture of these; all of them where their sizes do. */
export function differenceOf(one: Pixels, other: Pixels, colour: number): { share: number; shown: Buffer } {
  const { width, height } = one.info
  const shown = Buffer.alloc(one.data.length)
  if (width !== other.info.width || height !== other.info.height) return { share: 1, shown }
  const differing = pixelmatch(one.data, other.data, shown, width, height, { threshold: colour })
  return { share: differing / (width * height), shown }
}

/**
 * Compares a screenshot with the accepted look of its page.
 * @throws when there is none, or when they differ by more than the tolerance
 */
export async function compareWithAccepted(screenshot: Buffer, name: string): Promise<void> {
  mkdirSync(taken, { recursive: true })
  writeFileSync(join(taken, `${name}.png`), screenshot)
  const accept = `look at ${taken}${name}.png, and accept it with: npm run record -- looks`
  const file = new URL(`${name}.webp`, accepted)
  if (!existsSync(file)) throw new Error(`There is no accepted look of ${name}: ${accept}`)
  const now = await asAccepted(screenshot)
  const { share, shown } = differenceOf(now, await pixelsOf(readFileSync(file)), tolerance.colour)
  if (share <= tolerance.share) return
  const raw = { ...now.info, channels: 4 as const }
  writeFileSync(join(taken, `${name}.difference.png`), await sharp(shown, { raw }).png().toBuffer())
  throw new Error(
    `${name} looks otherwise than accepted on ${(share * 100).toFixed(1)}% of its points: ${accept}`,
  )
}
