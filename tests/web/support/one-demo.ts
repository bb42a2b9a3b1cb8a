import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Running, start } from '../../support/command-line.ts'
import { type Folder, openFolder } from '../../support/files.ts'
import { globalTeardown as findLeftovers, globalSetup as watchLeftovers } from '../../support/leaves-nothing.ts'

/* Setup and teardown of the test runner: one demo for all tests of the web pages, filled once. */

/** Of the made-up evidence the last day is 2026-11-20; the demo that is looked at lives on the morning after. */
const morningAfter = '@2026-11-21 09:00:00'
/** Preloaded rather than started as a command, which would stay between the demo and its signals. */
const [faketime] = globSync('/usr/lib/*/faketime/libfaketime.so.1')

let folder: Folder
let demo: Running

export async function globalSetup(): Promise<void> {
  watchLeftovers()
  folder = openFolder()
  const dataDirectory = join(folder.path, 'demo')
  const args = ['demo', '--data-dir', dataDirectory, '--port', '0']
  demo = start(args, faketime ? { env: { TZ: 'UTC', LD_PRELOAD: faketime, FAKETIME: morningAfter } } : {})
  const [, address = ''] = await demo.says(/^ready (http:\S+)/m)
  // What is looked at does not change while it is.
  await demo.says(/^Everything is there now/m)
  process.env.RIVALSCOPE_WEB_ADDRESS = address
  process.env.RIVALSCOPE_WEB_DATA = dataDirectory
  process.env.RIVALSCOPE_WEB_KEY = readFileSync(join(dataDirectory, 'demo-key'), 'utf8').trim()
  if (faketime) process.env.RIVALSCOPE_WEB_NOW = morningAfter.slice(1)
}

export async function globalTeardown(): Promise<void> {
  demo.child.kill('SIGTERM')
  await demo.ended
  folder[Symbol.dispose]()
  findLeftovers()
}
