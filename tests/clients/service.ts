import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

/* What programs of others call: the demo that the runner has started (tests/web/support/one-demo.ts). */

const remedy = 'Run npm run test:clients, which installs the packages and starts the demo.'
if (!existsSync(new URL('node_modules', import.meta.url)))
  throw new Error(`The packages of tests/clients are not installed. ${remedy}`)

function told(name: 'ADDRESS' | 'KEY'): string {
  const value = process.env[`RIVALSCOPE_WEB_${name}`]
  if (value === undefined) throw new Error(`No demo is running. ${remedy}`)
  return value
}

export const address = told('ADDRESS')
export const key = told('KEY')
export const authorization = `Bearer ${key}`

/** The program of a command of a package of this folder, or of the checkout. */
export function command(name: string): string {
  const places = ['.', '../..'].map((folder) => new URL(`${folder}/node_modules/.bin/${name}`, import.meta.url))
  return fileURLToPath(places.find((place) => existsSync(place)) ?? new URL(name, import.meta.url))
}

interface Ended {
  code: number
  out: string
  err: string
}

/** Runs a command of a package of this folder until it ends, by the Node of this process. */
export async function run(
  name: string,
  args: readonly string[],
  options: { cwd?: string; env?: Record<string, string> } = {},
): Promise<Ended> {
  return runFile([command(name), ...args], options)
}

/** Runs a file of JavaScript until it ends. @param args the file and its arguments */
export async function runFile(
  args: readonly string[],
  { cwd, env = {} }: { cwd?: string; env?: Record<string, string> } = {},
): Promise<Ended> {
  const settings = { cwd, env: { ...process.env, ...env }, maxBuffer: 64 * 1024 * 1024 }
  return promisify(execFile)(process.execPath, args, settings).then(
    ({ stdout, stderr }) => ({ code: 0, out: stdout, err: stderr }),
    ({ code, stdout, stderr }) => ({ code: Number(code), out: stdout, err: stderr }),
  )
}

/** A module of a package of this folder. The compiler knows nothing of it: most checkouts do not have it. */
// biome-ignore lint/suspicious/noExplicitAny: see above
export const load = (module: string): Promise<any> => import(import.meta.resolve(module))
