import { spawn } from 'node:child_process'

/** Limits of a program. */
export interface RunLimits {
  /** Longest run time in milliseconds. */
  withinMs: number
  /** Largest output in bytes. */
  maxBytes: number
  signal: AbortSignal
}

/** The program is not installed here. */
export class ProgramMissing extends Error {}

/** The program failed; the message is the last line of its output, without paths of this machine. */
export class ProgramFailed extends Error {}

const mostComplaints = 4_000

/**
 * Runs a program without a shell and without our environment, and returns its output. The process has ended when this
 * settles, in every case.
 * @throws ProgramMissing, ProgramFailed, or the signal's reason when it aborts
 */
export async function runProgram(program: string, args: readonly string[], limits: RunLimits): Promise<Buffer> {
  const { withinMs, maxBytes, signal } = limits
  signal.throwIfAborted()
  const child = spawn(program, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, LC_ALL: 'C' },
  })
  const kill = () => child.kill('SIGKILL')
  let overdue = false
  const clock = setTimeout(() => {
    overdue = true
    kill()
  }, withinMs)
  signal.addEventListener('abort', kill, { once: true })
  const answer: Buffer[] = []
  let size = 0
  let complaints = ''
  child.stdout.on('data', (chunk: Buffer) => {
    size += chunk.length
    if (size > maxBytes) kill()
    else answer.push(chunk)
  })
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    complaints = (complaints + chunk).slice(-mostComplaints)
  })
  try {
    const code = await new Promise<number | null>((resolve, reject) => {
      child.on('error', reject)
      child.on('close', resolve)
    })
    signal.throwIfAborted()
    if (overdue) throw new ProgramFailed(`${program} did not end within ${withinMs / 1_000} s`)
    if (size > maxBytes) throw new ProgramFailed(`${program} answered more than ${maxBytes} bytes`)
    if (code !== 0) throw new ProgramFailed(`${program} ended with ${code}: ${lastLine(complaints)}`)
    return Buffer.concat(answer)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT')
      throw new ProgramMissing(`${program} is not installed`)
    throw error
  } finally {
    clearTimeout(clock)
    signal.removeEventListener('abort', kill)
  }
}

/** The last line of an error output, without paths. */
function lastLine(complaints: string): string {
  const line = complaints.trim().split('\n').at(-1) ?? ''
  const plain = line.replaceAll(/(?:\/[\w.-]+){2,}/g, 'the file').replaceAll(/[^\p{L}\p{N}\p{P}\p{S} ]/gu, '')
  return plain === '' ? 'it did not say why' : plain.slice(0, 200)
}
