import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cp, mkdir, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { contract } from '../../src/contract/contract.ts'
import type { Operation } from '../../src/contract/operation.ts'
import type { ProblemCode } from '../../src/contract/problems.ts'
import { codeSamplesOf } from '../../src/http/openapi-shapes.ts'
import { openFolder } from '../support/files.ts'
import { checkReply, openWorld, type World } from '../support/world.ts'

/**
 * The samples of the document are run as they stand, each against an empty store: one that is written wrongly is refused by
 * the shell, the compiler or the service; one whose app or ad is not stored is told so.
 */
const run = promisify(execFile)
const root = fileURLToPath(new URL('../..', import.meta.url))
const rows = Object.entries(contract) as [string, Operation][]
const project = openFolder()
let world: World
let environment: NodeJS.ProcessEnv
before(async () => {
  world = await openWorld()
  const server = await world.server.listen({ host: '127.0.0.1', port: 0 })
  environment = { ...process.env, RIVALSCOPE_SERVER: server, RIVALSCOPE_KEY: await world.key() }
})
after(async () => {
  project[Symbol.dispose]()
  await world[Symbol.asyncDispose]()
})

const sampleOf = (tool: string, row: Operation, lang: string) =>
  codeSamplesOf(tool, row).find((sample) => sample.lang === lang)?.source ?? ''

/** What an example may be told where nothing is stored and nobody can be asked. */
const missing: readonly ProblemCode[] = ['source-not-configured', 'upstream-failed', 'preview-expired']
const mayBeTold = (row: Operation, code: string) =>
  row.problems.includes(code as ProblemCode) &&
  (/-not-found$/.test(code) || missing.includes(code as ProblemCode))

test('each curl sample is a call that the service understands', async () => {
  const reported = await Promise.all(
    rows.map(async ([tool, row]) => {
      const script = `${sampleOf(tool, row, 'Shell')} -sS -w '\n%{http_code}'`
      const { stdout } = await run('bash', ['-c', script], { env: environment })
      const at = stdout.lastIndexOf('\n')
      const [text, status] = [stdout.slice(0, at), Number(stdout.slice(at))]
      const body = text === '' ? '' : JSON.parse(text)
      checkReply(tool, row, { status, headers: {}, body })
      return status < 400 || mayBeTold(row, body.code) ? '' : `${tool}: ${status} ${body.code} ${body.detail}`
    }),
  )
  assert.deepEqual(reported.filter(Boolean), [])
})

test('each sample for programs compiles in a strict project and calls the service', async () => {
  await run(process.execPath, ['scripts/build-client.ts'], { cwd: root })
  const installed = join(project.path, 'node_modules/rivalscope')
  await mkdir(installed, { recursive: true })
  await cp(join(root, 'package.json'), join(installed, 'package.json'))
  await cp(join(root, 'dist'), join(installed, 'dist'), { recursive: true })
  await mkdir(join(project.path, 'node_modules/@types'))
  for (const needed of ['@types/node', 'undici-types'])
    await cp(await realpath(join(root, 'node_modules', needed)), join(project.path, 'node_modules', needed), {
      recursive: true,
    })
  for (const [tool, row] of rows) project.write(`${tool}.ts`, `${sampleOf(tool, row, 'TypeScript')}\n`)
  project.write('package.json', '{ "type": "module" }')
  const compilerOptions = { strict: true, noEmit: true, target: 'es2024', module: 'nodenext', types: ['node'] }
  project.write('tsconfig.json', JSON.stringify({ compilerOptions, files: rows.map(([tool]) => `${tool}.ts`) }))
  project.write(
    'all.mjs',
    `console.log = () => {}
     const told = {}
     for (const tool of ${JSON.stringify(rows.map(([tool]) => tool))})
       await import('./' + tool + '.ts').then(() => (told[tool] = 'answered'), (error) => (told[tool] = error.code ?? String(error)))
     process.stdout.write(JSON.stringify(told))`,
  )
  const inProject = (args: string[]) => run(process.execPath, args, { cwd: project.path, env: environment })
  const tsc = await realpath(join(root, 'node_modules/typescript/bin/tsc'))
  await inProject([tsc, '-p', '.']).catch(({ stdout }) => assert.fail(stdout))
  const { stdout } = await inProject(['--disable-warning=ExperimentalWarning', 'all.mjs'])
  const reported: Record<string, string> = JSON.parse(stdout)
  assert.deepEqual(
    rows
      .filter(([tool, row]) => reported[tool] !== 'answered' && !mayBeTold(row, reported[tool] ?? ''))
      .map(([tool]) => `${tool}: ${reported[tool]}`),
    [],
  )
})
