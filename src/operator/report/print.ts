import { constants } from 'node:fs'
import { access, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ProgramFailed, run } from '../../decoding/program.ts'

/** Programs that print, by the names they are installed under; the headless shell starts in a third of the time. */
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
/** What it may say on standard output. */
const maxBytes = 1_000_000

/** Where a Chromium is: that of `RIVALSCOPE_CHROMIUM`, which must be there, or the first one installed; undefined for none. */
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
 * A page as PDF, printed by a Chromium that reaches no network; the page's policy allows no script.
 * @throws ProgramFailed where it cannot, or the signal's reason
 */
export async function printed(chromium: string, html: string, signal: AbortSignal): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'rivalscope-report-'))
  try {
    const [page, pdf] = [join(folder, 'report.html'), join(folder, 'report.pdf')]
    await writeFile(page, html, { mode: 0o600 })
    await run(chromium, [...settings(folder), `--print-to-pdf=${pdf}`, pathToFileURL(page).href], {
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
  // Chromium refuses to have a sandbox as root, such as in a container. The page's policy lets no script run, and nothing is fetched for it.
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
]
