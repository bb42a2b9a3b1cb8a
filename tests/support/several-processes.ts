import assert from 'node:assert/strict'
import { createKey } from '../../src/domain/accounts/keys.ts'
import { openStore } from '../../src/storage/open-store.ts'
import { type PlayedApple, playedSources, startApple } from './apple.ts'
import { type Running, runProcess, start } from './command-line.ts'
import { openFolder } from './files.ts'
import { freePorts } from './free-port.ts'
import { type Pooler, poolerTo } from './pooler.ts'
import { givePosts } from './power/given-files.ts'
import { type Serving, startServing } from './serving.ts'
import { openStreaming, type Streaming } from './streaming.ts'

/** Several processes of each kind on a primary with replicas, which reach the primary through a pooler. */
export interface SeveralProcesses extends AsyncDisposable {
  streaming: Streaming
  pooler: Pooler
  apple: PlayedApple
  servings: Serving[]
  working: Running[]
  folder: string
  /** The location of the store through the pooler, as options of a command. */
  location: string[]
  /** A key of an account, which is made when it is new. */
  keyOf(account: string): Promise<string>
  /** Starts a service anew at the address it had. */
  serveAgain(index: number): Promise<void>
}

/** Posts besides those of `givePosts`. */
export const ownPosts = Array.from({ length: 20 }, (_, index) => `tiktok_74000000000000${10_000 + index}`)

interface Wanted {
  serve: number
  work: number
  replicas: number
}

export async function startSeveral({ serve, work, replicas }: Wanted): Promise<SeveralProcesses> {
  await using parts = new AsyncDisposableStack()
  const folder = parts.use(openFolder())
  const apple = parts.use(await startApple())
  const streaming = parts.use(await openStreaming(replicas))
  // Each process opens up to 18 connections, and a command as many while it runs.
  const pooler = parts.use(await poolerTo(streaming.primary.url, 40, 'max_client_conn = 500'))
  const location = ['--database-url', pooler.url, '--data-dir', folder.path]
  const posts = ownPosts.map((postId) => ({ postId, text: 'Ours', observedAt: '2026-03-01T00:00:00Z' }))
  const ours = folder.write('ours.json', JSON.stringify(posts))
  const files = [givePosts(folder.path), ours]
  const imported = await runProcess(['import', 'organic', ...files, ...location], { cwd: folder.path })
  assert.equal(imported.code, 0, imported.err)
  const store = parts.use(await openStore({ databaseUrl: pooler.url }, 'test'))
  const config = folder.write(
    'rivalscope.json',
    JSON.stringify({ sources: playedSources(apple, { timeoutSeconds: 60 }) }),
  )
  const common = [...location, '--config', config, '--log-level', 'info']
  const named = streaming.replicas.flatMap(({ url }) => ['--replica-url', url])
  const firstPort = await freePorts(serve)
  // More than any client here asks: requests are counted, and none is refused.
  const limited = ['--rate-limit', '100000']
  const startAt = (index: number) =>
    startServing([...common, ...named, ...limited, '--work', 'off', '--port', String(firstPort + index)])
  const working: Running[] = []
  for (let each = 0; each < work; each++) working.push(parts.use(start(['work', ...common])))
  const servings = await Promise.all(Array.from({ length: serve }, (_, index) => startAt(index)))
  parts.defer(async () => {
    for (const serving of servings) await serving[Symbol.asyncDispose]()
  })
  for (const worker of working) await worker.says(/^working$/m)
  const opened = parts.move()
  return {
    streaming,
    pooler,
    apple,
    servings,
    working,
    folder: folder.path,
    location,
    keyOf: (account) =>
      createKey(store.db, { name: account, scopes: ['context:read', 'content:write'], account }),
    async serveAgain(index) {
      servings[index] = await startAt(index)
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}
