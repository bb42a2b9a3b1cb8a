import type { KeptCopy } from '../evidence/shapes.ts'

const widths = [64, 128, 256, 512, 1024]

/** The address of a picture at our own origin, not smaller than a width in pixels (docs/web.md). */
export function pictureAddress(url: string, width: number): string {
  return `/pictures?${new URLSearchParams({ url, width: String(widthOfPicture(width)) })}`
}

/** The smallest width that pictures are made in and that is not smaller than this one. */
export const widthOfPicture = (width: number): number => widths.find((one) => one >= width) ?? 1024

/** The kept copy of a medium; undefined where there is none. */
export const keptCopyAddress = (kept: KeptCopy): string | undefined =>
  kept.status === 'stored' ? new URL(kept.url, location.origin).pathname : undefined
