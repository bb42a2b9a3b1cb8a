import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { z } from 'zod'
import { reportKind } from '../backtests/report.ts'

const Ours = z.object({ kind: z.literal(reportKind), files: z.array(z.string()) })

/**
 * Why a report must not replace the folder; undefined where it does not exist, or holds an earlier report and nothing else.
 */
export async function refusalOfFolder(folder: string): Promise<string | undefined> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  if (names.length === 0) return undefined
  const text = await readFile(join(folder, 'report.json'), 'utf8').catch(() => '')
  const ours = Ours.safeParse(parsed(text))
  const strange = ours.success ? names.find((name) => !ours.data.files.includes(name)) : names[0]
  return strange === undefined
    ? undefined
    : `${folder} holds ${strange}, which no earlier report wrote. Name another folder with --out; nothing was changed.`
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Replaces the folder with a report, atomically. */
export async function writeReport(folder: string, files: ReadonlyMap<string, string>): Promise<void> {
  await mkdir(dirname(folder), { recursive: true })
  const beside = await mkdtemp(join(dirname(folder), `.${basename(folder)}-`))
  try {
    const [fresh, old] = [join(beside, 'fresh'), join(beside, 'old')]
    await mkdir(fresh)
    for (const [name, text] of files) await writeFile(join(fresh, name), text, { flag: 'wx' })
    // Check again: the backtests took a while.
    const refusal = await refusalOfFolder(folder)
    if (refusal) throw new Error(refusal)
    await rename(folder, old).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error
    })
    await rename(fresh, folder)
  } finally {
    await rm(beside, { recursive: true, force: true })
  }
}
