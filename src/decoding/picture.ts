import sharp from 'sharp'

const side = 96
/** Of a picture that is only shown; what is larger was made to be large. */
const mostPixelsShown = 32 * 1024 * 1024
/** Pictures of more pixels are not decoded: they come from strangers. */
const mostPixels = 64 * 1024 * 1024

/** What a picture shows. */
export interface PictureFacts {
  /** Pixels, as shown. */
  width: number
  height: number
  /** Reduced to 96 by 96, three bytes to a pixel. */
  samples: Uint8Array
}

/** Looks at a picture; the first of one that moves. @throws for what is no picture */
export async function inspectPicture(bytes: Uint8Array): Promise<PictureFacts> {
  const picture = sharp(bytes, { limitInputPixels: mostPixels, failOn: 'error', animated: false })
  const { width, height, orientation = 1 } = await picture.metadata()
  const samples = await picture
    .flatten({ background: '#ffffff' })
    .toColourspace('srgb')
    .removeAlpha()
    .resize(side, side, { fit: 'fill' })
    .raw()
    .toBuffer()
  const turned = orientation >= 5
  return { width: turned ? height : width, height: turned ? width : height, samples }
}

/**
 * A picture as WebP, no wider than asked for and never enlarged; the first of one that moves.
 * @throws for what is no picture, or one of too many pixels
 */
export function shrinkPicture(bytes: Uint8Array, width: number): Promise<Buffer> {
  return (
    sharp(bytes, { limitInputPixels: mostPixelsShown, failOn: 'error', animated: false, sequentialRead: true })
      .timeout({ seconds: 10 })
      .autoOrient()
      // A strip of a picture could otherwise be as high as it likes.
      .resize({ width, height: 4 * width, fit: 'inside', withoutEnlargement: true })
      .webp({ quality: 80, effort: 3 })
      .toBuffer()
  )
}
