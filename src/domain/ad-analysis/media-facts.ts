/** Usual ratios of width to height. */
const ratios = ['9:16', '2:3', '3:4', '4:5', '1:1', '5:4', '4:3', '3:2', '16:9', '1.91:1', '21:9'] as const

/** The usual ratio closest to that of a picture, from its pixels. */
export function aspectRatio(width: number, height: number): string {
  const off = (ratio: string) => {
    const [across = 1, down = 1] = ratio.split(':').map(Number)
    return Math.abs(Math.log(width / height / (across / down)))
  }
  return ratios.reduce((best, ratio) => (off(ratio) < off(best) ? ratio : best))
}

/** Colours closer than this, of at most 441, count as one. */
const sameColour = 60
/** Minimum share of the picture for a main colour. */
const leastShare = 0.02
const mostColours = 6

interface Colour {
  pixels: number
  sum: [number, number, number]
}

/**
 * The main colours of pictures as `#rrggbb`, largest area first, at most 6. Pixels are grouped into 4,096 boxes, and
 * neighbouring boxes are merged, beginning with the fullest.
 * @param rgb three bytes to a pixel
 */
export function mainColours(rgb: Uint8Array): string[] {
  const boxes = new Map<number, Colour>()
  for (let at = 0; at + 2 < rgb.length; at += 3) {
    const [red = 0, green = 0, blue = 0] = rgb.subarray(at, at + 3)
    const key = ((red >> 4) << 8) | ((green >> 4) << 4) | (blue >> 4)
    const box = boxes.get(key) ?? { pixels: 0, sum: [0, 0, 0] }
    boxes.set(key, add(box, { pixels: 1, sum: [red, green, blue] }))
  }
  const main: Colour[] = []
  for (const box of [...boxes.values()].sort(byArea)) {
    const near = main.find((colour) => distance(colour, box) < sameColour)
    if (near) add(near, box)
    else main.push(box)
  }
  const least = (rgb.length / 3) * leastShare
  return main
    .filter(({ pixels }) => pixels >= least)
    .sort(byArea)
    .slice(0, mostColours)
    .map((colour) => `#${mean(colour).map(hexadecimal).join('')}`)
}

const byArea = (one: Colour, other: Colour) => other.pixels - one.pixels
const mean = ({ pixels, sum }: Colour) => sum.map((part) => Math.round(part / pixels))
const hexadecimal = (part: number) => part.toString(16).padStart(2, '0')

function add(colour: Colour, more: Colour): Colour {
  colour.pixels += more.pixels
  for (const part of [0, 1, 2] as const) colour.sum[part] += more.sum[part]
  return colour
}

function distance(one: Colour, other: Colour): number {
  const [first, second] = [mean(one), mean(other)]
  return Math.hypot(...first.map((part, at) => part - (second[at] ?? 0)))
}
