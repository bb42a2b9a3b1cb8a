import { z } from 'zod'
import { run } from './program.ts'

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
  const answer = await run('ffprobe', [...args, `file:${path}`], {
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
  await run('ffmpeg', args, { withinMs: 600_000, maxBytes: 1_000_000, signal })
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
    run(
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
