import type { KeptCopy } from '../evidence/shapes.ts'

const widths = [64, 128, 256, 512, 1024]

/** The address of a picture at our own origin, not smaller than a width in pixels (docs/web.md). */
export function pictureAddress(url: string, width: number): string {
  const fitting = widths.find((one) => one >= width) ?? 1024
  return `/pictures?${new URLSearchParams({ url, width: String(fitting) })}`
}

/** The kept copy of a medium; undefined where there is none. */
export const keptCopyAddress = (kept: KeptCopy): string | undefined =>
  kept.status === 'stored' ? new URL(kept.url, location.origin).pathname : undefined
