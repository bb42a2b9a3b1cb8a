import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { openFolder } from '../../tests/support/files.ts'
import { untilTrue } from '../../tests/support/until.ts'
import { ProgramFailed, ProgramMissing, runProgram } from './program.ts'

const patient = new AbortController().signal
const node = (script: string, limits: Partial<Parameters<typeof runProgram>[2]> = {}) =>
  runProgram(process.execPath, ['-e', script], {
    withinMs: 60_000,
    maxBytes: 1_000,
    signal: patient,
    ...limits,
  })

test('a program answers what it wrote, and sees nothing of our environment', async () => {
  process.env.RIVALSCOPE_SPEECH_KEY = 'sk-secret'
  const seen = await node('process.stdout.write(JSON.stringify(Object.keys(process.env).sort()))')
  delete process.env.RIVALSCOPE_SPEECH_KEY
  // Where the clock is shifted (scripts/test-under.ts), every program has the variables that shift it.
  const names: string[] = JSON.parse(seen.toString())
  assert.deepEqual(
    names.filter((name) => !/^(?:FAKETIME|LD_PRELOAD)/.test(name)),
    ['LC_ALL', 'PATH'],
  )
})

test('a program that fails, floods, hangs or is missing is a failure of its own', async () => {
  await assert.rejects(
    node('console.error("at /home/somebody/secret/file: no"); process.exit(3)'),
    (error: Error) => {
      assert.ok(error instanceof ProgramFailed)
      assert.match(error.message, /ended with 3: at the file: no/)
      return true
    },
  )
  await assert.rejects(node('for (;;) process.stdout.write("x".repeat(1000))'), /more than 1000 bytes/)
  await assert.rejects(node('setInterval(() => {}, 1000)', { withinMs: 500 }), /did not end within 0.5 s/)
  const limits = { withinMs: 60_000, maxBytes: 1_000, signal: patient }
  await assert.rejects(runProgram('no-such-program-here', [], limits), ProgramMissing)
})

test('a program that is stopped is gone before its caller goes on', async () => {
  using folder = openFolder()
  const trace = JSON.stringify(join(folder.path, 'trace'))
  const stop = new AbortController()
  const script = `const { renameSync, writeFileSync } = require('fs')
    writeFileSync(${trace} + '.part', String(process.pid))
    renameSync(${trace} + '.part', ${trace})
    setInterval(() => {}, 1000)`
  const running = assert.rejects(node(script, { signal: stop.signal }), /enough/)
  await untilTrue(() => existsSync(JSON.parse(trace)))
  stop.abort(new Error('enough'))
  await running
  assert.throws(() => process.kill(Number(readFileSync(JSON.parse(trace), 'utf8')), 0), { code: 'ESRCH' })
})
