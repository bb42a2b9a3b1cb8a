import sharp from 'sharp'
import { type Dice, dice } from './dice.ts'
import { linePath, lineWidth } from './pixel-letters.ts'

/** A picture to be drawn. */
export type PictureOptions = {
  /** The same address gives the same picture. */
  readonly address: string
  readonly width: number
  readonly height: number
  /** Shown as initials, with the full title below. */
  readonly title: string
}

/** Draws a card for an ad or a post: shapes, initials and a name. @returns a JPEG */
export function drawPicture(options: PictureOptions): Promise<Buffer> {
  return sharp(Buffer.from(cardOf(options)))
    .jpeg({ quality: 82 })
    .toBuffer()
}

function cardOf({ address, width, height, title }: PictureOptions): string {
  const colours = dice('card', title)
  const hue = colours.between(0, 359)
  const shapes = Array.from({ length: 7 }, (_, at) => shapeOf(width, height, hue, dice('card', address, at)))
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
<rect width="100%" height="100%" fill="hsl(${hue},55%,32%)"/>
${shapes.join('\n')}
<path fill="#fff" d="${centred(initialsOf(title), width, height * 0.36, width * 0.5)}"/>
<path fill="#fff" fill-opacity="0.85" d="${centred(title.slice(0, 28), width, height * 0.8, width * 0.8)}"/>
</svg>`
}

function shapeOf(width: number, height: number, hue: number, fortune: Dice): string {
  const [x, y] = [fortune.between(0, width), fortune.between(0, height)]
  const size = fortune.between(Math.floor(width / 8), Math.floor(width / 2))
  const fill = `fill="hsl(${(hue + fortune.between(-40, 40) + 360) % 360},60%,${fortune.between(38, 62)}%)" fill-opacity="0.55"`
  return fortune.pick([
    `<circle cx="${x}" cy="${y}" r="${size / 2}" ${fill}/>`,
    `<rect x="${x - size / 2}" y="${y - size / 2}" width="${size}" height="${size}" rx="${size / 6}" ${fill}/>`,
    `<polygon points="${x},${y - size / 2} ${x + size / 2},${y + size / 2} ${x - size / 2},${y + size / 2}" ${fill}/>`,
  ])
}

/** A centred line, as wide as allowed and at most a quarter of the picture's width high. */
function centred(text: string, width: number, y: number, most: number): string {
  const dot = Math.max(1, Math.floor(Math.min(most / Math.max(lineWidth(text), 1), width / 20)))
  return linePath(text, Math.round((width - lineWidth(text) * dot) / 2), Math.round(y), dot)
}

const initialsOf = (title: string) =>
  title
    .split(/[\s.]+/)
    .map((word) => word.charAt(0))
    .join('')
    .slice(0, 2)
