import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pixelmatch from 'pixelmatch'
import sharp from 'sharp'

/** The last accepted looks, as small pictures: layout and colour can be compared on them, single letters cannot. */
const accepted = fileURLToPath(new URL('../accepted/', import.meta.url))
/** Where the screenshots of this run go, whole: CI keeps them as artefacts. */
const taken = fileURLToPath(new URL('../../../.scratch/screenshots/', import.meta.url))

/** The accepted looks are narrower than the screenshots by this factor: other machines have other fonts. */
const smaller = 5
/** The share of points that may differ, and from what difference of colour on a point counts. */
const tolerance = { share: 0.06, colour: 0.2 }

/**
 * Compares a screenshot with the accepted look of its page. With `RIVALSCOPE_TEST_ACCEPT=1` it becomes the accepted one.
 * @throws when there is none, or when they differ by more than the tolerance
 */
export async function compareWithAccepted(screenshot: Buffer, name: string): Promise<void> {
  mkdirSync(taken, { recursive: true })
  writeFileSync(join(taken, `${name}.png`), screenshot)
  const { width = 0, height = 0 } = await sharp(screenshot).metadata()
  const size = { width: Math.round(width / smaller), height: Math.round(height / smaller) }
  const small = await sharp(screenshot).resize(size).ensureAlpha().raw().toBuffer()
  const file = join(accepted, `${name}.webp`)
  if (process.env.RIVALSCOPE_TEST_ACCEPT === '1') {
    mkdirSync(accepted, { recursive: true })
    const raw = { ...size, channels: 4 as const }
    writeFileSync(file, await sharp(small, { raw }).webp({ quality: 70 }).toBuffer())
    return
  }
  if (!existsSync(file)) throw new Error(`There is no accepted look of ${name}: look at ${taken}${name}.png`)
  const before = await sharp(readFileSync(file)).ensureAlpha().raw().toBuffer({ resolveWithObject: true })
  if (before.info.width !== size.width || before.info.height !== size.height)
    throw new Error(`${name} has another size than the accepted look.`)
  const difference = Buffer.alloc(small.length)
  const differing = pixelmatch(small, before.data, difference, size.width, size.height, {
    threshold: tolerance.colour,
  })
  const share = differing / (size.width * size.height)
  if (share <= tolerance.share) return
  const raw = { ...size, channels: 4 as const }
  writeFileSync(join(taken, `${name}.difference.png`), await sharp(difference, { raw }).png().toBuffer())
  throw new Error(
    `${name} looks otherwise than accepted on ${(share * 100).toFixed(1)}% of its points: look at ${taken}${name}.png, and accept it with RIVALSCOPE_TEST_ACCEPT=1 npm run test:web`,
  )
}
