import { readFile, writeFile } from 'node:fs/promises'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Writes a file and names it on standard output, unless its content is the same already. */
export async function writeChanged(file: URL, content: string | Buffer): Promise<void> {
  const before = await readFile(file).catch(() => undefined)
  if (before?.equals(Buffer.from(content))) return
  await writeFile(file, content)
  process.stdout.write(`  ${relative(process.cwd(), fileURLToPath(file))}\n`)
}
