import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { OpenApiDocument, OpenApiOperation, OpenApiParameter } from '../../src/http/openapi.ts'
import { openFolder } from '../support/files.ts'
import { freePort } from '../support/free-port.ts'
import { untilTrue } from '../support/until.ts'
import { address, authorization, command, key, run } from './service.ts'

const folder = openFolder()
after(() => folder[Symbol.dispose]())
let document: OpenApiDocument
let file: string
before(async () => {
  const text = await (await fetch(`${address}/openapi.json`)).text()
  document = JSON.parse(text)
  file = folder.write('openapi.json', text)
})

/** All operations, those last that remove what the examples of others name. */
const operations = () =>
  Object.entries(document.paths)
    .flatMap(([path, those]) =>
      Object.entries(those).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
    )
    .sort((one, other) => Number(one.method === 'DELETE') - Number(other.method === 'DELETE'))

/** The parameters with an example of the operation's own. */
const given = ({ parameters = [] }: OpenApiOperation) =>
  parameters.filter((one): one is OpenApiParameter => 'in' in one && 'example' in one)

/** Outcomes by operation, of those that were not answered with success. */
const failed = (replies: Iterable<[tool: string, outcome: string]>) =>
  Object.fromEntries([...replies].filter(([, outcome]) => outcome !== 'answered'))

interface Execution {
  item: { name: string }
  response?: { code: number; stream: { data: number[] } }
}

test('the collection that Postman makes of the document reads and writes as it was imported', async () => {
  // Not the app that other examples are about: a collection calls in the order of the document.
  const copy = structuredClone(document)
  const removal = copy.paths['/v1/aso/apps/{appId}']?.delete
  for (const parameter of removal ? given(removal) : [])
    parameter.example = '01995a10-0000-7000-8000-000000000000'
  const imported = folder.write('imported.json', JSON.stringify(copy))
  const [collection, report] = ['collection.json', 'report.json'].map((name) => join(folder.path, name))
  const options = 'folderStrategy=Tags,parametersResolution=Example'
  const made = await run('openapi2postmanv2', ['-s', imported, '-o', String(collection), '-O', options])
  assert.equal(made.code, 0, made.out + made.err)
  const variables = { baseUrl: address, bearerToken: key }
  const ran = await run('newman', [
    ...['run', String(collection), '--reporters', 'json', '--reporter-json-export', String(report)],
    ...Object.entries(variables).flatMap(([name, value]) => ['--env-var', `${name}=${value}`]),
  ])
  assert.equal(ran.code, 0, ran.out + ran.err)
  const tools = new Map(operations().map(({ operation }) => [operation.summary, operation.operationId]))
  const executions: Execution[] = JSON.parse(readFileSync(String(report), 'utf8')).run.executions
  const replies = executions.map(({ item, response }): [string, string] => {
    const { code = 0, stream } = response ?? {}
    const isAnswered = code >= 200 && code < 300
    const answer = isAnswered ? {} : JSON.parse(Buffer.from(stream?.data ?? []).toString() || '{}')
    return [tools.get(item.name) ?? item.name, isAnswered ? 'answered' : `${code} ${answer.code}`]
  })
  assert.equal(replies.length, 45)
  assert.deepEqual(failed(replies), {
    // What these speak of is never there: a preview is of the last minutes, no import has failed, and see above.
    admin_import_paid_ads: '409 preview-expired',
    admin_retry_paid_ad_import: '404 import-run-not-found',
    remove_aso_app: '404 tracked-app-not-found',
  })
})

test('each operation, called with the examples of the document, and every reply to it pass Prism', async () => {
  const port = await freePort()
  const proxy = `http://127.0.0.1:${port}`
  await using prism = started('prism', ['proxy', file, address, '--host', '127.0.0.1', '--port', String(port)])
  await untilTrue(() => prism.hasEnded() || fetch(proxy).then(Boolean, () => false))

  const replies = new Map<string, string>()
  const violations: string[] = []
  let previewToken: unknown
  for (const { path, method, operation } of operations()) {
    const example = operation.requestBody?.content['application/json']?.example as object | undefined
    const body = example && 'previewToken' in example ? { previewToken } : example
    const reply = await fetch(proxy + addressOf(path, operation), {
      method,
      headers: { authorization, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await reply.text()
    const answered = text === '' ? {} : JSON.parse(text)
    previewToken ??= answered.previewToken
    replies.set(operation.operationId, reply.ok ? 'answered' : `${reply.status} ${answered.code}`)
    const found = reply.headers.get('sl-violations')
    if (found !== null) violations.push(`${operation.operationId}: ${found}`)
  }
  assert.deepEqual(violations, [])
  assert.equal(replies.size, 45)
  // No import has failed.
  assert.deepEqual(failed(replies), { admin_retry_paid_ad_import: '404 import-run-not-found' })
})

function addressOf(path: string, operation: OpenApiOperation): string {
  const query = given(operation)
    .filter((one) => one.in === 'query')
    .flatMap(({ name, example }) => [example].flat().map((value): [string, string] => [name, String(value)]))
  const filled = path.replace(/\{(\w+)\}/g, (_, name) =>
    encodeURIComponent(String(given(operation).find((one) => one.name === name)?.example)),
  )
  return query.length === 0 ? filled : `${filled}?${new URLSearchParams(query)}`
}

/** A command of a package that runs until it is disposed of. */
function started(name: string, args: readonly string[]): AsyncDisposable & { hasEnded(): boolean } {
  const child = spawn(process.execPath, [command(name), ...args], { stdio: 'ignore' })
  const ended = once(child, 'close')
  return {
    hasEnded: () => child.exitCode !== null,
    async [Symbol.asyncDispose]() {
      child.kill()
      await ended
    },
  }
}
