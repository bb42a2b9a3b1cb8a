import { z } from 'zod'
import { runProgram } from './program.ts'

/** Accepted containers. Formats that refer to other files, such as playlists, are not among them. */
const containers = 'mov,mp4,m4a,3gp,3g2,mj2,matroska,webm,avi,mpegts,mpeg,flv,gif,ogg,asf'

/** Larger pictures and allocations are refused: media come from untrusted sources. */
const limits = ['-max_alloc', String(512 * 1024 * 1024)]
const ofInput = [...['-protocol_whitelist', 'file,pipe'], ...['-format_whitelist', containers]]
const mostPixels = ['-max_pixels', String(64 * 1024 * 1024)]

/** Longest part of a video that is decoded, in seconds. */
const longestVideo = 3_600

const quiet = ['-hide_banner', '-loglevel', 'error', '-nostdin', ...limits]

/** Properties of a video; 0 where the file does not state one. */
export interface VideoFacts {
  durationSeconds: number
  /** Displayed size in pixels, after rotation. */
  width: number
  height: number
  hasPicture: boolean
  hasSound: boolean
}

const Probed = z.object({
  format: z.object({ duration: z.coerce.number().catch(0) }).catch({ duration: 0 }),
  streams: z
    .array(
      z.object({
        codec_type: z.string().catch(''),
        width: z.number().catch(0),
        height: z.number().catch(0),
        duration: z.coerce.number().catch(0),
        side_data_list: z.array(z.object({ rotation: z.number().catch(0) })).catch([]),
      }),
    )
    .catch([]),
})

/** Reads the properties of a file. @throws ProgramMissing, ProgramFailed when it is not a video, or the signal's reason */
export async function probeVideo(path: string, signal: AbortSignal): Promise<VideoFacts> {
  const entries = 'format=duration:stream=codec_type,width,height,duration:stream_side_data=rotation'
  const args = [
    '-hide_banner',
    '-loglevel',
    'error',
    ...limits,
    ...ofInput,
    '-show_entries',
    entries,
    '-of',
    'json',
  ]
  const answer = await runProgram('ffprobe', [...args, `file:${path}`], {
    withinMs: 60_000,
    maxBytes: 1_000_000,
    signal,
  })
  const { format, streams } = Probed.parse(JSON.parse(answer.toString('utf8')))
  const picture = streams.find(({ codec_type }) => codec_type === 'video')
  const turned = picture?.side_data_list.some(({ rotation }) => Math.abs(rotation) % 180 === 90) ?? false
  const { width = 0, height = 0 } = picture ?? {}
  return {
    durationSeconds: format.duration || picture?.duration || 0,
    width: turned ? height : width,
    height: turned ? width : height,
    hasPicture: picture !== undefined,
    hasSound: streams.some(({ codec_type }) => codec_type === 'audio'),
  }
}

const soundRate = 16_000

/** Writes the first sound track as 16-bit little-endian samples, mono, 16,000 a second. */
export async function decodeSound(path: string, to: string, signal: AbortSignal): Promise<void> {
  const shape = ['-vn', '-sn', '-dn', '-map', '0:a:0', '-ac', '1', '-ar', String(soundRate), '-f', 's16le']
  const length = ['-t', String(longestVideo)]
  const args = [...quiet, ...ofInput, '-i', `file:${path}`, ...shape, ...length, '-y', `file:${to}`]
  await runProgram('ffmpeg', args, { withinMs: 600_000, maxBytes: 1_000_000, signal })
}

/** Difference between two frames, from 0 to 1, from which a new scene begins. */
const cut = 0.3
/** Side of the square that sampled frames are reduced to, and their number. */
const side = 64
const mostSamples = 60

/** Scenes of a video, separated at cuts, and its sampled frames: 64 by 64, three bytes to a pixel. */
export async function sampleFrames(
  path: string,
  { durationSeconds }: Pick<VideoFacts, 'durationSeconds'>,
  signal: AbortSignal,
): Promise<{ scenes: number; samples: Buffer }> {
  const samplesEach = Math.max(0.5, durationSeconds / (mostSamples - 1))
  const look = (filters: string, shape: string[]) =>
    runProgram(
      'ffmpeg',
      [
        ...quiet,
        ...ofInput,
        ...mostPixels,
        ...['-t', String(longestVideo), '-i', `file:${path}`, '-map', '0:v:0', '-an', '-sn', '-dn'],
        ...['-vf', filters, ...shape, 'pipe:1'],
      ],
      { withinMs: 600_000, maxBytes: 20_000_000, signal },
    )
  const samples = await look(`fps=1/${samplesEach.toFixed(3)},scale=${side}:${side}`, [
    ...['-frames:v', String(mostSamples), '-pix_fmt', 'rgb24', '-f', 'rawvideo'],
  ])
  // One byte for each frame that begins a new scene.
  const cuts = await look(`scale=160:-2,select='gt(scene,${cut})',scale=1:1`, [
    ...['-pix_fmt', 'gray', '-fps_mode', 'passthrough', '-f', 'rawvideo'],
  ])
  return { scenes: cuts.length + 1, samples }
}

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
export function splitSound(sound: Uint8Array, maxBytes: number): SoundPiece[] {
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
