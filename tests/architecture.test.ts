import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, normalize } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

/**
 * Which folder of src may import which, and the backtests beside it in `research`. Files directly in src put the parts together and
 * may import everything, and all may import the vocabulary and tables of data but the client, which programs and pages load.
 */
const mayImport: Record<string, string[]> = {
  vocabulary: [],
  text: [],
  contract: ['text'],
  storage: [],
  domain: ['text', 'storage'],
  ingest: ['text', 'domain'],
  sources: ['type domain', 'ingest'],
  suppliers: ['text', 'domain', 'ingest', 'sources'],
  projections: ['text', 'storage', 'domain', 'type ingest', 'suppliers'],
  research: ['text', 'storage', 'domain'],
  decoding: [],
  imports: ['text', 'type storage', 'domain', 'ingest', 'suppliers', 'projections'],
  jobs: ['text', 'storage', 'domain', 'sources', 'decoding', 'ingest', 'suppliers', 'projections'],
  api: ['contract', 'text', 'domain', 'jobs', 'storage'],
  http: ['contract', 'api'],
  mcp: ['contract', 'text', 'api'],
  client: ['type contract'],
  exports: ['contract', 'domain', 'projections', 'storage', 'api'],
  operator: [
    'contract',
    'text',
    'domain',
    'decoding',
    'ingest',
    'suppliers',
    'projections',
    'imports',
    'exports',
    'jobs',
    'research',
    'sources',
    'storage',
    ...['client', 'type api'],
  ],
  cli: ['contract', 'client', 'type operator', 'type storage'],
}

/** The folders of the domain, and the rooms of those that have some, each below those that may import it. */
const domainFolders = [
  ...[
    'evidence',
    'work',
    'idempotency',
    'facts',
    'accounts',
    'collecting',
    'catalogue',
    'charts',
    'add-app',
    ...['aso/scores', 'aso/pages', 'aso/tracking', 'aso/keywords', 'aso/listing'],
    'creatives',
  ],
  ...[
    'media',
    'organic',
    'paid-ads',
    'ad-analysis',
    'demand',
    'estimates',
    'emerging',
    'competitor',
    'moves',
    'watches',
  ],
]

/** Which folder of the web pages may import which, beside the client. Areas and the files above them may import all of these. */
const webMayImport: Record<string, string[]> = {
  api: [],
  evidence: ['api'],
  ui: ['api', 'evidence'],
  charts: ['evidence', 'ui'],
  shell: ['api', 'evidence', 'ui'],
}

interface Import {
  file: string
  folder: string
  path: string
  typeOnly: boolean
}

const statement =
  /^(?:import|export)(?<type> type)?\b[^'"=;]*\bfrom '(?<from>[^']+)'|^import '(?<bare>[^']+)'|\bimport\('(?<called>[^']+)'\)/gm
const root = fileURLToPath(new URL('../src', import.meta.url))
/** Files of a folder of the project by their paths in it, without installed packages: `tests/clients` has some of its own. */
const filesUnder = (folder: string): string[] =>
  readdirSync(join(root, '..', folder), { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => !path.includes('node_modules'))
const codeIn = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !file.endsWith('.test.ts'),
  )
/** `research` counts as a folder of src. Its programs put the parts together. */
const files = [
  ...codeIn(root),
  ...codeIn(join(root, '../research')).flatMap((file) =>
    file.startsWith('programs/') ? [] : join('research', file),
  ),
].sort()
const imports = files.flatMap(importsOf)

test('every folder imports only what the table allows', () => {
  const wrong = imports
    .filter(({ folder, path }) => folder !== '.' && path.startsWith('.'))
    .map((one) => ({ ...one, target: targetFolder(one) }))
    .filter(({ folder, target }) => target !== folder && target !== 'package.json')
    .filter(({ folder, target, typeOnly }) => {
      const shared = folder === 'client' ? ['type vocabulary'] : ['vocabulary', 'data']
      const allowed = [...(mayImport[folder] ?? []), ...shared]
      return !allowed.includes(target) && !(typeOnly && allowed.includes(`type ${target}`))
    })
  assert.deepEqual(
    wrong.map(({ file, path }) => `${file} imports ${path}`),
    [],
  )
})

test('folders of the domain import only what stands before them', () => {
  const folders = new Set(files.flatMap((file) => domainFolderOf(file) ?? []))
  assert.deepEqual([...folders].sort(), domainFolders.toSorted())
  const wrong = imports.filter(({ file, path }) => {
    const [from, to] = [file, join(file, '..', path)].map(domainFolderOf)
    return from !== undefined && to !== undefined && domainFolders.indexOf(to) > domainFolders.indexOf(from)
  })
  assert.deepEqual(
    wrong.map(({ file, path }) => `${file} imports ${path}`),
    [],
  )
})

test('a supplier imports no other; files of operators may name columns and charts as Apple does', () => {
  const wrong = imports
    .filter(({ file, path }) => supplierOf(file) && path.startsWith('.'))
    .filter((one) => ![undefined, supplierOf(one.file)].includes(supplierOf(targetFile(one))))
    .map((one) => `${supplierOf(one.file)} imports ${supplierOf(targetFile(one))}`)
  assert.deepEqual([...new Set(wrong)], ['own-files imports apple'])
})

test('what reads payloads cannot ask for any, and what asks imports of the domain only types', () => {
  const readers = ['suppliers/formats.ts']
  for (const file of readers) {
    const next = imports
      .filter((one) => one.file === file && one.path.startsWith('.') && !one.typeOnly)
      .map(targetFile)
    readers.push(...next.filter((target) => !readers.includes(target)))
  }
  assert.ok(readers.length > 50)
  assert.ok(!readers.includes('sources/polite/polite-source.ts'))
  const clients = new Set(
    imports
      .filter((one) => one.folder === 'suppliers' && targetFolder(one) === 'sources')
      .map(({ file }) => file),
  )
  assert.deepEqual(
    imports.filter((one) => clients.has(one.file) && targetFolder(one) === 'domain' && !one.typeOnly),
    [],
  )
})

test('no import leads back to the file it stands in, over types and other files either', () => {
  const project = join(root, '..')
  const next = new Map(
    ['src', 'research', 'sample', 'tests', 'bench', 'scripts', 'web', 'site'].flatMap((folder) =>
      filesUnder(folder)
        .filter((path) => /\.tsx?$/.test(path))
        .map((path) => [path, importedBy(project, path)] as const),
    ),
  )
  const done = new Set<string>()
  const cycleThrough = (file: string, above: string[] = []): string[] | undefined => {
    if (above.includes(file)) return [...above.slice(above.indexOf(file)), file]
    if (done.has(file)) return undefined
    done.add(file)
    const further = next.get(file) ?? []
    return further
      .values()
      .map((target) => cycleThrough(target, [...above, file]))
      .find(Boolean)
  }
  const cycles = [...next.keys()].flatMap((file) => cycleThrough(file)?.join(' imports ') ?? [])
  assert.deepEqual(cycles, [])
})

test('transactions begin in one place, so that each can be a part of another', () => {
  const beginning = files.filter((file) =>
    /\.(transaction|startTransaction|beginTransaction)\(/.test(read(file)),
  )
  assert.deepEqual(beginning, ['storage/database.ts', 'storage/dialect.ts'])
})

test('texts are put into a normal form where marks are bounded first, and nowhere else', () => {
  const normalising = files.filter((file) => /\.normalize\(/.test(read(file)))
  assert.deepEqual(normalising, ['text/normal-form.ts'])
})

test('every folder has its place in the table', () => {
  const folders = new Set(files.map(folderOf))
  assert.deepEqual(
    [...folders].filter((folder) => folder !== '.' && !(folder in mayImport)),
    [],
  )
})

test('the vocabulary and the contract load no package but zod, with all that they import', () => {
  const lowFiles = files.filter((file) => /^(vocabulary|contract)\//.test(file))
  for (const file of lowFiles) {
    const beneath = imports.filter((one) => one.file === file && one.path.startsWith('.')).map(targetFile)
    lowFiles.push(...beneath.filter((target) => target.endsWith('.ts') && !lowFiles.includes(target)))
  }
  const packages = imports.filter(({ file, path }) => lowFiles.includes(file) && !path.startsWith('.'))
  assert.deepEqual([...new Set(packages.map(({ path }) => path))], ['zod'])
})

test('the vocabulary is the ground floor: it imports tables of data, and nothing else of src', () => {
  const upwards = imports.filter(
    (one) =>
      one.folder === 'vocabulary' &&
      one.path.startsWith('.') &&
      !['vocabulary', 'data'].includes(targetFolder(one)),
  )
  assert.deepEqual(
    upwards.map(({ file, path }) => `${file} imports ${path}`),
    [],
  )
})

test('made-up evidence is made of words and vocabulary alone; only its demo knows the parts of the service', () => {
  const sample = join(root, '../sample')
  const wrong = readdirSync(sample, { recursive: true, encoding: 'utf8' })
    .filter((file) => /(?<!\.test)\.ts$/.test(file) && !file.startsWith('demo/'))
    .flatMap((file) =>
      [...readFileSync(join(sample, file), 'utf8').matchAll(/from '((?:\.\.\/)+src\/[^']+)'/g)]
        .filter(([, path = '']) => !path.includes('/src/vocabulary/'))
        .map(([, path]) => `${file} imports ${path}`),
    )
  assert.deepEqual(wrong, [])
})

test('backtests are no part of the service: the command that runs them and the weekly report load them, each when it is performed', () => {
  const loading = imports.filter((one) => one.folder !== 'research' && targetFolder(one) === 'research')
  assert.deepEqual(
    [...new Set(loading.map(({ file }) => file))],
    ['operator/backtest-command.ts', 'operator/report/report-coverage.ts'],
  )
  const project = join(root, '..')
  const loaded = ['src/main.ts', 'src/app.ts', 'src/commands.ts', 'src/operator/upkeep.ts']
  for (const file of loaded)
    if (file.endsWith('.ts'))
      loaded.push(...importedBy(project, file).filter((target) => !loaded.includes(target)))
  assert.deepEqual(
    loaded.filter((file) => file.startsWith('research/')),
    [],
  )
})

test('the client loads ky and nothing else', () => {
  const packages = imports.filter(
    ({ folder, path, typeOnly }) => folder === 'client' && !path.startsWith('.') && !typeOnly,
  )
  assert.deepEqual([...new Set(packages.map(({ path }) => path))], ['ky'])
})

test('the web pages import the client and the vocabulary, and nothing else of the service', () => {
  const web = join(root, '../web')
  const wrong = readdirSync(web, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && file !== 'vite.config.ts')
    .flatMap((file) =>
      [...readFileSync(join(web, file), 'utf8').matchAll(/\b(?:from|import)\(?\s*'(?<path>\.[^']+)'/g)]
        .map(({ groups }) => groups?.path ?? '')
        .filter((path) => normalize(join(file, '..', path)).startsWith('..'))
        .filter(
          (path) =>
            !/^\.\.\/src\/(client\/(client|request|routes)|vocabulary\/[^/]+)\.ts$/.test(
              normalize(join(file, '..', path)),
            ),
        )
        .map((path) => `${file} imports ${path}`),
    )
  assert.deepEqual(wrong, [])
})

test('folders of the web pages import only what stands below them', () => {
  const web = join(root, '../web')
  const wrong = readdirSync(web, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file))
    .flatMap((file) =>
      [...readFileSync(join(web, file), 'utf8').matchAll(/\b(?:from|import)\(?\s*'(?<path>\.[^']+)'/g)]
        .map(({ groups }) => groups?.path ?? '')
        .filter((path) => {
          const target = normalize(join(file, '..', path))
          const allowed = webMayImport[folderOf(file)]
          return allowed && ![folderOf(file), '..', ...allowed].includes(folderOf(target))
        })
        .map((path) => `${file} imports ${path}`),
    )
  assert.deepEqual(wrong, [])
})

test('imports of our own files end in .ts', () => {
  const wrong = imports.filter(({ path }) => path.startsWith('.') && !/\.(ts|json)$/.test(path))
  assert.deepEqual(
    wrong.map(({ file, path }) => `${file} imports ${path}`),
    [],
  )
})

test('no file only passes on what others export', () => {
  const barrels = files.filter((file) => {
    const statements = read(file)
      .replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*/g, '')
      .trim()
    return statements !== '' && statements.replaceAll(/export\b[^;'"=]*\bfrom '[^']+'/g, '').trim() === ''
  })
  assert.deepEqual(barrels, [])
})

test('tests keep their files in folders that close with them, and are looked for at the end', () => {
  const own = new Set([
    'tests/support/files.ts',
    'tests/support/leaves-nothing.ts',
    // Of disks that lose power, which have a way of their own to be taken down.
    'tests/support/power/leftovers.ts',
    'tests/support/power/power-disk.ts',
    // Looks at what the service itself leaves there.
    'tests/long/ad-transcripts.test.ts',
  ])
  const project = join(root, '..')
  const tests = ['tests', 'src', 'research', 'sample'].flatMap(filesUnder)
  const loose = tests.filter(
    (file) =>
      /^tests\/.*\.ts$|\.test\.ts$/.test(file) &&
      !own.has(file) &&
      /\btmpdir\b.*from 'node:os'/.test(readFileSync(join(project, file), 'utf8')),
  )
  assert.deepEqual(loose, [])
})

/** Whether a test rests on the clock: it measures how long something took, gives it a limit, or pauses by itself. */
const clockOfTests =
  /\bsetTimeout\(|\bsetInterval\(|performance\.now\(|AbortSignal\.timeout\(|waitForTimeout\(|Date\.now\(\) - (?!\d|\w+ \* )\w/

test('no test rests on how fast the machine is: it waits for what happens, stops its clock, or says what a pause is for', () => {
  const reported = 'tells how long it took, and fails for nothing'
  const allowed: Record<string, string> = {
    'src/decoding/program.test.ts': 'what it starts hangs',
    'tests/client-types.test.ts': 'is compiled, not run',
    'tests/collecting.test.ts': 'a limit that is over before the turn comes is what is tested',
    'tests/faults/kills.test.ts': reported,
    'tests/faults/pooler.test.ts': 'as many requests are let through as the minutes that it takes allow',
    'tests/faults/power-cut.test.ts': reported,
    'tests/faults/several-of-each.test.ts': reported,
    'tests/faults/stopped-processes.test.ts': 'its moments are spread over what a command takes',
    'tests/long/kept-media-attack.test.ts': 'a host that drips for ever',
    'tests/web/bad-days.test.ts': 'a browser that waits for longer and longer',
  }
  const project = join(root, '..')
  const resting = ['tests', 'src', 'research', 'sample', 'web']
    .flatMap(filesUnder)
    .filter((file) => file.endsWith('.test.ts') && clockOfTests.test(readFileSync(join(project, file), 'utf8')))
  assert.deepEqual(resting.sort(), Object.keys(allowed).sort())
})

test('docs/architecture.md names files that exist, and what stands in them', () => {
  const named = /`((?:src|tests)\/[\w./-]+\.ts)`(?<told>[^`]*(?:`\w+`[^`]*)*)/g
  const wrong = [...architecture().matchAll(named)].flatMap(([, path = '', reported = '']) => {
    const file = join(root, '..', path)
    if (!existsSync(file)) return [path]
    const text = readFileSync(file, 'utf8')
    const names = reported.startsWith(':')
      ? [...reported.matchAll(/`(\w+)`/g)].map(([, name = '']) => name)
      : []
    return names.filter((name) => !text.includes(name)).map((name) => `${name} in ${path}`)
  })
  assert.deepEqual(wrong, [])
})

test('in the picture of docs/architecture.md every folder stands above what it imports', () => {
  const [, picture = ''] = architecture().split('```')
  const lines = picture.split('\n').map((line) => (/^ (\S+(?:, \S+)*) {2}/.exec(line)?.[1] ?? '').split(', '))
  const lineOf = (folder: string) =>
    lines.findIndex((line) => line.includes(folder === '.' ? 'src/*.ts' : folder))
  const folders = [...new Set(files.map(folderOf))]
  assert.deepEqual(
    folders.filter((folder) => lineOf(folder) === -1),
    [],
  )
  const climbing = imports
    .filter(({ folder, path }) => folder !== '.' && path.startsWith('.'))
    .map((one) => ({ ...one, target: targetFolder(one) }))
    .filter(({ folder, target }) => target !== folder && folders.includes(target))
    .filter(({ folder, target }) => lineOf(target) <= lineOf(folder))
  assert.deepEqual(
    climbing.map(({ file, path }) => `${file} imports ${path}`),
    [],
  )
})

function architecture(): string {
  return readFileSync(join(root, '../docs/architecture.md'), 'utf8')
}

/** Our own files that a file imports by statements; what is loaded while it runs may lead back. */
function importedBy(project: string, file: string): string[] {
  return [...readFileSync(join(project, file), 'utf8').matchAll(statement)]
    .map(({ groups = {} }) => groups.from ?? groups.bare ?? '')
    .filter((path) => path.startsWith('.'))
    .map((path) => join(file, '..', path))
}

function importsOf(file: string): Import[] {
  return [...read(file).matchAll(statement)].map(({ groups = {} }) => ({
    file,
    folder: folderOf(file),
    path: groups.from ?? groups.bare ?? groups.called ?? '',
    typeOnly: groups.type !== undefined,
  }))
}

const targetFile = ({ file, path }: Import): string =>
  normalize(join(file, '..', path)).replace(/^(?:\.\.\/(?=research\/)|src\/)/, '')

function targetFolder(one: Import): string {
  const target = targetFile(one)
  return target.startsWith('..') ? target.replace(/^(\.\.\/)+/, '') : folderOf(target)
}

const supplierOf = (file: string): string | undefined => /^suppliers\/([\w-]+)\//.exec(file)?.[1]

function domainFolderOf(file: string): string | undefined {
  return /^domain\/(aso\/\w+|.+?)\//.exec(file)?.[1]
}

function folderOf(file: string): string {
  return file.includes('/') ? file.slice(0, file.indexOf('/')) : '.'
}

function read(file: string): string {
  return readFileSync(join(root, file.startsWith('research/') ? '..' : '', file), 'utf8')
}
