import sharp from 'sharp'

const side = 96
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
