import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { openFolder } from './files.ts'

const runs = (program: string, ...args: string[]) => spawnSync(program, args, { stdio: 'ignore' }).status === 0

/** Why tests of real media are skipped; false where they run. */
export const lacksFfmpeg =
  runs('ffmpeg', '-version') && runs('ffprobe', '-version') ? false : 'ffmpeg is not installed here'
export const lacksVoice =
  lacksFfmpeg || (runs('espeak-ng', '--version') ? false : 'espeak-ng is not installed here')

/** Two scenes of two seconds, red and blue, 270 by 480. */
const scenes = [
  ...[
    '-f',
    'lavfi',
    '-i',
    'color=red:s=270x480:d=2:r=10',
    '-f',
    'lavfi',
    '-i',
    'color=blue:s=270x480:d=2:r=10',
  ],
]
const joined = '[0:v][1:v]concat=n=2:v=1:a=0[v]'

function made(build: (to: string, folder: string) => string[][]): Buffer {
  using folder = openFolder()
  const to = join(folder.path, 'made.mp4')
  for (const [program = '', ...args] of build(to, folder.path)) {
    const { status, stderr } = spawnSync(program, args, { encoding: 'utf8', timeout: 60_000 })
    if (status !== 0) throw new Error(`${program} cannot make the video: ${stderr}`)
  }
  return readFileSync(to)
}

const encoded = ['-c:v', 'mpeg4', '-q:v', '5', '-movflags', '+faststart']

const spoken = new Map<string, Buffer>()

/** A video in which these words are spoken; made once. */
export function spokenVideo(words: string): Buffer {
  const known = spoken.get(words) ?? speak(words)
  spoken.set(words, known)
  return known
}

const speak = (words: string): Buffer =>
  made((to, folder) => [
    ['espeak-ng', '-w', join(folder, 'said.wav'), words],
    [
      ...['ffmpeg', '-loglevel', 'error', ...scenes, '-i', join(folder, 'said.wav')],
      ...['-filter_complex', `${joined};[2:a]apad[a]`, '-map', '[v]', '-map', '[a]', '-t', '4', ...encoded, to],
    ],
  ])

/** A video with no sound track. */
export const muteVideo = (): Buffer =>
  made((to) => [
    ['ffmpeg', '-loglevel', 'error', ...scenes, '-filter_complex', joined, '-map', '[v]', ...encoded, to],
  ])
