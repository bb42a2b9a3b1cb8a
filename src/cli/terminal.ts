import { createInterface } from 'node:readline/promises'
import { SingleBar } from 'cli-progress'
import type { Progress, Terminal } from '../operator/operator-context.ts'
import type { CommandContext, ScreenStream } from './command-context.ts'

/** Seconds between plain progress lines where there is no terminal to draw on. */
const plainEverySeconds = 5

/** A terminal over the streams of a command: answers on standard output, everything else on standard error. */
export class StreamTerminal implements Terminal, Disposable {
  readonly #stdout: ScreenStream
  readonly #stderr: ScreenStream
  #bar: SingleBar | undefined
  #saidAt = Date.now()

  readonly ask: Terminal['ask']

  constructor({
    stdout,
    stderr,
    stdin,
    signal,
  }: Pick<CommandContext, 'stdout' | 'stderr'> & Partial<CommandContext>) {
    this.#stdout = stdout
    this.#stderr = stderr
    if (stdin?.isTTY && stderr.isTTY)
      this.ask = async (question) => {
        this.#clear()
        const asked = createInterface({ input: stdin, output: stderr })
        try {
          return await asked.question(question, signal ? { signal } : {})
        } finally {
          asked.close()
        }
      }
  }

  out(text: string): void {
    this.#clear()
    this.#stdout.write(`${text}\n`)
  }

  note(text: string): void {
    this.#clear()
    this.#stderr.write(`${text}\n`)
  }

  progress(progress: Progress): void {
    if (this.#stderr.isTTY) this.#draw(progress)
    else this.#tell(progress)
  }

  [Symbol.dispose](): void {
    this.#clear()
  }

  #draw({ label, done, total, unit }: Progress): void {
    if (total === 0) return
    if (!this.#bar) {
      this.#bar = new SingleBar({
        format: '{bar} {percentage}% | {amount} | {eta_formatted} left | {label}',
        stream: this.#stderr,
        hideCursor: true,
        clearOnComplete: true,
        barsize: 30,
        barCompleteChar: '█',
        barIncompleteChar: '░',
        formatTime: duration,
      })
      this.#bar.start(total, 0, { label, amount: '' })
    }
    this.#bar.setTotal(total)
    this.#bar.update(done, { label: label.slice(0, 40), amount: amount(done, total, unit) })
  }

  #tell({ label, done, total, unit }: Progress): void {
    if (Date.now() - this.#saidAt < plainEverySeconds * 1_000) return
    this.#saidAt = Date.now()
    const share = total > 0 ? `${Math.floor((done / total) * 100)}% ` : ''
    this.#stderr.write(`${share}${amount(done, total, unit)} ${label}\n`)
  }

  #clear(): void {
    this.#bar?.stop()
    this.#bar = undefined
  }
}

/** Seconds as `12s` or `3m05s`; unknown before anything is done. */
function duration(seconds: number | string): string {
  const whole = Math.round(Number(seconds))
  if (!Number.isFinite(whole)) return '?'
  return whole < 60 ? `${whole}s` : `${Math.floor(whole / 60)}m${String(whole % 60).padStart(2, '0')}s`
}

function amount(done: number, total: number, unit: Progress['unit']): string {
  const shown = (value: number) => (unit === 'bytes' ? `${(value / 1e6).toFixed(1)} MB` : String(value))
  const count = total > 0 ? `${shown(done)} of ${shown(total)}` : shown(done)
  return unit === 'bytes' || unit === 'records' ? count : `${count} ${unit}`
}
