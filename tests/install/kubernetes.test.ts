import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { parseAllDocuments } from 'yaml'
import { problemsOf } from '../support/kubernetes.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const manifestsIn = (text: string) => parseAllDocuments(text).map((document) => document.toJS())

test('the manifests for Kubernetes are what its own schemas describe', async () => {
  const files = globSync('deploy/kubernetes/*.yaml', { cwd: root })
  assert.ok(files.length > 0)
  for (const file of files)
    assert.deepEqual(await problemsOf(manifestsIn(readFileSync(root + file, 'utf8'))), [], file)
})

test('a manifest with a field that does not exist, without one that must be there, or with an unfit value is refused by name', async () => {
  const text = readFileSync(`${root}deploy/kubernetes/rivalscope.yaml`, 'utf8')
  const mistakes = [
    ['runAsNonRoot: true', 'runAsNonRot: true', /'"runAsNonRot"' does not exist in type/],
    ['selector: { matchLabels: { app: rivalscope, part: work } }', 'replica: 1', /'"replica"' does not exist/],
    ['        - name: work\n', '        - nam: work\n', /must have required property name/],
    ['containerPort: 8787', 'containerPort: http', /containerPort must be integer/],
    ['memory: 2Gi', 'memory: 2 Gi', /memory must match/],
  ] as const
  const problems = await problemsOf(
    mistakes.flatMap(([right, wrong]) => {
      assert.ok(text.includes(right), right)
      return manifestsIn(text.replace(right, wrong))
    }),
  )
  for (const [, wrong, problem] of mistakes)
    assert.ok(
      problems.some((told) => problem.test(told)),
      `${wrong}: ${problems.join('\n')}`,
    )
  await assert.rejects(problemsOf([{ apiVersion: 'apps/v1', kind: 'Deploymnt' }]), /has no Deploymnt/)
})
