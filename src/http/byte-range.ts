/** Bytes from one to another, both included, counted from 0. */
export interface Part {
  start: number
  end: number
}

/**
 * The part of a content that a `Range` header requests. Several parts, other units and invalid headers give undefined, which
 * means the whole content, as RFC 9110 allows.
 */
export function partOf(range: string, sizeBytes: number): Part | 'unsatisfiable' | undefined {
  const [, from = '', to = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(range.trim()) ?? []
  if (from === '' && to === '') return undefined
  if (from === '') {
    const length = Math.min(Number(to), sizeBytes)
    return length === 0 ? 'unsatisfiable' : { start: sizeBytes - length, end: sizeBytes - 1 }
  }
  if (to !== '' && Number(to) < Number(from)) return undefined
  if (Number(from) >= sizeBytes) return 'unsatisfiable'
  return { start: Number(from), end: to === '' ? sizeBytes - 1 : Math.min(Number(to), sizeBytes - 1) }
}
