import { z } from 'zod'
import { run } from './program.ts'

/** Containers that are opened. Lists that name other files, such as playlists, are none of them. */
const containers = 'mov,mp4,m4a,3gp,3g2,mj2,matroska,webm,avi,mpegts,mpeg,flv,gif,ogg,asf'

/** A picture of more pixels, or a piece of memory larger than this, is not decoded: media come from strangers. */
const limits = ['-max_alloc', String(512 * 1024 * 1024)]
const ofInput = [...['-protocol_whitelist', 'file,pipe'], ...['-format_whitelist', containers]]
const mostPixels = ['-max_pixels', String(64 * 1024 * 1024)]

/** Seconds of a video that are decoded. */
const longestVideo = 3_600

const quiet = ['-hide_banner', '-loglevel', 'error', '-nostdin', ...limits]

/** What a video is made of; 0 where the file does not say. */
export interface VideoFacts {
  durationSeconds: number
  /** Pixels, as shown: turned videos are turned. */
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

/** Looks at a file. @throws ProgramMissing, ProgramFailed for what is no video, or the signal's reason */
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

/** How different a picture is from the one before, 0 to 1, from which on it counts as another scene. */
const cut = 0.3
/** Side of the square that sampled pictures are reduced to, and how many are sampled. */
const side = 64
const mostSamples = 60

/** Scenes of a video, told apart by their cuts, and its sampled pictures: 64 by 64, three bytes to a pixel. */
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
  // One byte for each picture that begins another scene.
  const cuts = await look(`scale=160:-2,select='gt(scene,${cut})',scale=1:1`, [
    ...['-pix_fmt', 'gray', '-fps_mode', 'passthrough', '-f', 'rawvideo'],
  ])
  return { scenes: cuts.length + 1, samples }
}
