import sharp from 'sharp'

const side = 96
/** Pictures of more pixels are not scaled down for pages: they were not meant for display. */
const mostPixelsShown = 32 * 1024 * 1024
/** Pictures of more pixels are not decoded: they come from untrusted sources. */
const mostPixels = 64 * 1024 * 1024

/** Properties of a picture. */
export interface PictureFacts {
  /** Displayed size in pixels. */
  width: number
  height: number
  /** Reduced to 96 by 96, three bytes to a pixel. */
  samples: Uint8Array
}

/** Decodes a picture; of an animated one the first frame. @throws when it is not a picture */
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
 * A picture as WebP, no wider than `width` and never enlarged; of an animated one the first frame.
 * @throws when it is not a picture, or has too many pixels
 */
export function shrinkPicture(bytes: Uint8Array, width: number): Promise<Buffer> {
  return (
    sharp(bytes, { limitInputPixels: mostPixelsShown, failOn: 'error', animated: false, sequentialRead: true })
      .timeout({ seconds: 10 })
      .autoOrient()
      // Limits the height as well: a strip could be arbitrarily high.
      .resize({ width, height: 4 * width, fit: 'inside', withoutEnlargement: true })
      .webp({ quality: 80, effort: 3 })
      .toBuffer()
  )
}
