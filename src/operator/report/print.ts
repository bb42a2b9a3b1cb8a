import { constants } from 'node:fs'
import { access, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ProgramFailed, runProgram } from '../../decoding/program.ts'

/** Command names of Chromium, which prints PDFs; the headless shell comes first, since it starts in a third of the time. */
const names = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'chrome',
]
const places = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]
const withinMs = 60_000
/** Maximum bytes of its output. */
const maxBytes = 1_000_000

/** The path of Chromium: `RIVALSCOPE_CHROMIUM`, which must exist, or the first installed one; undefined for none. */
export async function findChromium(environment: NodeJS.ProcessEnv): Promise<string | undefined> {
  const named = environment.RIVALSCOPE_CHROMIUM?.trim()
  if (named) return (await isProgram(named)) ? named : undefined
  const folders = (environment.PATH ?? '').split(delimiter).filter(Boolean)
  for (const place of [...names.flatMap((name) => folders.map((folder) => join(folder, name))), ...places])
    if (await isProgram(place)) return place
  return undefined
}

const isProgram = (path: string) =>
  access(path, constants.X_OK).then(
    () => true,
    () => false,
  )

/**
 * Prints a page to PDF with Chromium, without network access; the page's policy allows no script.
 * @throws ProgramFailed where it cannot, or the signal's reason
 */
export async function printToPdf(chromium: string, html: string, signal: AbortSignal): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'rivalscope-report-'))
  try {
    const [page, pdf] = [join(folder, 'report.html'), join(folder, 'report.pdf')]
    await writeFile(page, html, { mode: 0o600 })
    await runProgram(chromium, [...settings(folder), `--print-to-pdf=${pdf}`, pathToFileURL(page).href], {
      withinMs,
      maxBytes,
      signal,
    })
    return await readFile(pdf).catch(() => {
      throw new ProgramFailed(`${chromium} wrote no PDF`)
    })
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 })
  }
}

const settings = (folder: string): string[] => [
  '--headless',
  '--disable-gpu',
  '--no-first-run',
  '--no-pdf-header-footer',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-extensions',
  '--host-resolver-rules=MAP * ~NOTFOUND',
  `--user-data-dir=${join(folder, 'profile')}`,
  // As root, such as in a container, Chromium does not start with a sandbox. The page's policy allows no script, and nothing
  // is fetched.
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
]
