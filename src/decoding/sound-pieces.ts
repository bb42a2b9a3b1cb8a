/** Bytes of one second of sound: 16 bits, mono, 16,000 a second. */
export const bytesPerSecond = 32_000
const headerBytes = 44
/** How far before the end of a piece a silence is searched, and the length of that silence, in seconds. */
const lookBack = 10
const silence = 0.2

/** A part of the sound, as bytes of the whole. */
export interface SoundPiece {
  from: number
  to: number
  /** Its start in the sound. */
  startSeconds: number
}

/**
 * Splits sound into pieces of limited size, each at the quietest moment of its last ten seconds, so that few words are split.
 * @param maxBytes of a piece with its header; at least a second fits
 */
export function piecesOf(sound: Uint8Array, maxBytes: number): SoundPiece[] {
  const most = Math.max(bytesPerSecond, maxBytes - headerBytes) & ~1
  const pieces: SoundPiece[] = []
  let from = 0
  while (from < sound.length) {
    const to = sound.length - from <= most ? sound.length : quietestBefore(sound, from, from + most)
    pieces.push({ from, to, startSeconds: from / bytesPerSecond })
    from = to
  }
  return pieces
}

function quietestBefore(sound: Uint8Array, from: number, end: number): number {
  const view = new DataView(sound.buffer, sound.byteOffset, sound.byteLength)
  const step = silence * bytesPerSecond
  const first = Math.max(from + (end - from) / 2, end - lookBack * bytesPerSecond)
  let best = { at: end, loudness: Number.POSITIVE_INFINITY }
  for (let at = end - step; at >= first; at -= step) {
    let loudness = 0
    for (let place = at & ~1; place + 1 < at + step; place += 32)
      loudness += Math.abs(view.getInt16(place, true))
    if (loudness < best.loudness) best = { at: (at + step / 2) & ~1, loudness }
  }
  return best.at
}

/** A piece as a WAV file. */
export function asWav(samples: Uint8Array): Uint8Array<ArrayBuffer> {
  const file = new Uint8Array(headerBytes + samples.length)
  const view = new DataView(file.buffer)
  const write = (at: number, text: string) => new TextEncoder().encodeInto(text, file.subarray(at))
  write(0, 'RIFF')
  view.setUint32(4, 36 + samples.length, true)
  write(8, 'WAVEfmt ')
  view.setUint32(16, 16, true)
  view.setUint16(20, 1, true)
  view.setUint16(22, 1, true)
  view.setUint32(24, bytesPerSecond / 2, true)
  view.setUint32(28, bytesPerSecond, true)
  view.setUint16(32, 2, true)
  view.setUint16(34, 16, true)
  write(36, 'data')
  view.setUint32(40, samples.length, true)
  file.set(samples, headerBytes)
  return file
}
