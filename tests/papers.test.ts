import assert from 'node:assert/strict'
import { accessSync, constants, existsSync, globSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'
import { changesIn, kinds } from '../scripts/changelog.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const read = (file: string) => readFileSync(join(root, file), 'utf8')
const papers = [
  ...readdirSync(root),
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' }).map((name) => join('docs', name)),
].filter((name) => name.endsWith('.md'))

test('links of the documentation lead to files that exist', () => {
  const dead = papers.flatMap((paper) =>
    [...read(paper).matchAll(/\]\((?<to>[^)\s#]+)/g)]
      .map(({ groups }) => groups?.to ?? '')
      .filter((to) => !/^(?:[a-z]+:|\/)/.test(to) && !existsSync(join(root, dirname(paper), to)))
      .map((to) => `${paper}: ${to}`),
  )
  assert.deepEqual(dead, [])
})

test('a variable in a command of the README or a page of docs is set in a command above it, or said to be given', () => {
  const unset = papers.flatMap((paper) => {
    const given = [...read(paper).matchAll(/`\$([A-Z_]+)`/g)].map(([, name = '']) => name)
    const known = new Set(['PWD', 'HOME', '@', ...given])
    return [...read(paper).matchAll(/^\s*```console\n(?<block>[^`]*)```/gm)].flatMap(({ groups }) =>
      [...(groups?.block ?? '').matchAll(/\b(?<set>[A-Z_]+)=|\$\{?(?<used>[A-Z_]+|@)\b/g)].flatMap(
        ({ groups: word }) => {
          if (word?.set) known.add(word.set)
          return word?.used === undefined || known.has(word.used) ? [] : [`${paper}: $${word.used}`]
        },
      ),
    )
  })
  assert.deepEqual(unset, [])
})

test('what the guide to the pages names in bold, unless it begins a paragraph with it, is a label of the pages', () => {
  const bold = [...read('docs/using-the-pages.md').matchAll(/\*\*([^*\n]+)\*\*/g)].map(([, name = '']) => name)
  const labels = bold.filter((name) => !/[.?]$/.test(name))
  assert.ok(labels.length > 20)
  const pages = globSync('web/**/*.{ts,tsx}', { cwd: root }).map(read).join('\n')
  assert.deepEqual(
    labels.filter((label) => !pages.includes(label)),
    [],
  )
})

test('the README is read in one go', () => {
  assert.ok(read('README.md').split('\n').length <= 120)
})

test('the changelog has the sections of Keep a Changelog in their order, each once, and says nothing twice', () => {
  const [, ...releases] = read('CHANGELOG.md').split(/^## /m)
  assert.match(releases[0] ?? '', /^\[Unreleased\]\n/)
  for (const release of releases) {
    const used = [...release.matchAll(/^### (.*)$/gm)].map(([, name]) => name)
    assert.deepEqual(
      used,
      kinds.filter((name) => used.includes(name)),
    )
    const entries = release.split(/^- /m).slice(1)
    assert.deepEqual(
      entries.filter((entry, index) => entries.indexOf(entry) !== index),
      [],
    )
  }
})

test('every file in changes holds one entry of the changelog and says its kind', () => {
  const { changes, unfit } = changesIn(root)
  assert.deepEqual(unfit, [])
  const entries = [...changes.values()].flat()
  assert.equal(new Set(entries).size, entries.length)
})

test('issue forms are whole: GitHub shows none that has a part without its name or type', () => {
  const forms = readdirSync(join(root, '.github/ISSUE_TEMPLATE')).filter((name) => name !== 'config.yml')
  assert.ok(forms.length > 0)
  for (const form of forms) {
    const { name, description, body } = parse(read(`.github/ISSUE_TEMPLATE/${form}`))
    assert.ok(name && description, form)
    for (const { type, id, attributes } of body) {
      const named = type === 'markdown' ? attributes.value : id && attributes.label
      assert.ok(named && ['markdown', 'textarea', 'input', 'dropdown'].includes(type), `${form}: ${type} ${id}`)
    }
  }
})

test('the workflows run what everybody can run, .ci/run, on actions named by their commit', () => {
  accessSync(join(root, '.ci/run'), constants.X_OK)
  for (const [name, command] of Object.entries({
    check: '.ci/run',
    nightly: '.ci/run --all',
    weekly: '.ci/run --weekly',
  })) {
    const { permissions, jobs } = parse(read(`.github/workflows/${name}.yml`))
    assert.deepEqual(permissions, { contents: 'read' })
    const steps = Object.values<{ steps: { uses?: string; run?: string }[] }>(jobs).flatMap((job) => job.steps)
    assert.deepEqual(
      steps.flatMap(({ run }) => run ?? []),
      [command],
    )
    for (const { uses } of steps) if (uses !== undefined) assert.match(uses, /@[0-9a-f]{40}$/)
  }
})

test('every package is pinned, and Renovate names packages and images there are', () => {
  const manifests = [
    'package.json',
    ...['site', 'bench/peers', 'tests/clients', 'tests/kubernetes', 'tools/check', 'tools/node'].map(
      (folder) => `${folder}/package.json`,
    ),
  ]
  const packages: Record<string, string> = Object.assign(
    {},
    ...manifests.flatMap((file) => {
      const { dependencies, devDependencies, optionalDependencies } = JSON.parse(read(file))
      return [dependencies, devDependencies, optionalDependencies]
    }),
  )
  for (const [name, version] of Object.entries(packages)) assert.match(version, /^(?:npm:@?[^@]+@)?\d/, name)
  const images = [
    'deploy/container/Containerfile',
    'deploy/container/compose.yaml',
    '.github/workflows/check.yml',
  ]
    .flatMap((file) => [...read(file).matchAll(/([\w./-]+):[\w.-]+@sha256:/g)])
    .map(([, image = '']) => image)
  const rules: { matchPackageNames?: string[] }[] = JSON.parse(read('renovate.json')).packageRules
  const unknown = rules
    .flatMap(({ matchPackageNames = [] }) => matchPackageNames)
    .filter(
      (wanted) =>
        ![...Object.keys(packages), ...images].some(
          (name) => name === wanted || (wanted.endsWith('**') && name.startsWith(wanted.slice(0, -2))),
        ),
    )
  assert.deepEqual(unknown, [])
})
