import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const script = fileURLToPath(new URL('scripts/build-missing', import.meta.resolve('rivalscope/package.json')))

/** Whether this is a checkout, which builds what it serves; a package brings it. */
export const isCheckout = existsSync(script)

/**
 * Builds the web pages (`demo`) or the documentation (`docs`) where they are missing or older than their sources, in a process of
 * its own that lets others go first.
 * @throws what the build said, where it failed
 */
export async function buildMissing(what: 'demo' | 'docs', signal: AbortSignal): Promise<void> {
  if (!isCheckout || signal.aborted) return
  const build = spawn('nice', ['-n', '5', script, what], { stdio: ['ignore', 'ignore', 'pipe'] })
  const stop = () => void build.kill()
  signal.addEventListener('abort', stop, { once: true })
  let said = ''
  build.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text
  })
  try {
    const [code] = await once(build, 'close')
    if (code !== 0 && !signal.aborted) throw new Error(said.trim())
  } finally {
    signal.removeEventListener('abort', stop)
  }
}
