import { sampleEvidence } from '../sample/sample-evidence.ts'
import { importSample, type SyntheticDocument } from '../src/imports/import-sample.ts'
import { printTable, report } from './figures.ts'
import { postmasterOf, secondsOfPostgres } from './processor.ts'
import { dropDatabase, freshDatabase } from './stores.ts'

/**
 * Processor time of one import of one small document, of this process and of PostgreSQL: a chart of a hundred places, a page of
 * results, the suggestions for a prefix, the record of one app, one post, one ad. The process runs already, and the store holds the
 * rest of the sample. Target: 10 ms each. What else runs on the machine makes it more, though less than by the clock.
 *
 *   node bench/small-documents.ts
 */
const until = '2026-11-20'
/** What was observed from here on comes one by one. */
const from = '2026-11-06'

const sample: SyntheticDocument[] = [...sampleEvidence({ seed: 7, until })]
const lines = sample.filter(({ format }) => format.endsWith('-file'))
const later = sample.filter(
  (document) => document.observedAt >= from && document.kind !== 'catalogue' && !lines.includes(document),
)
const known = sample.filter((document) => !later.includes(document) && !lines.includes(document))
const single = [...later, ...lines.flatMap(eachLine), ...recordsOneByOne()]

const store = await freshDatabase('small_documents')
try {
  const postmaster = await postmasterOf(store.db)
  await importSample(store.db, known, () => {})
  const rows = []
  for (const [kind, documents] of Map.groupBy(single, ({ kind, format }) => `${kind}, ${format}`)) {
    // The first half warms code and plans up.
    const half = Math.floor(documents.length / 2)
    await importEach(documents.slice(0, half))
    const measured = documents.slice(half)
    const before = secondsOfPostgres(postmaster)
    const started = process.cpuUsage()
    await importEach(measured)
    const { user, system } = process.cpuUsage(started)
    const node = (user + system) / 1_000 / measured.length
    const postgres = ((secondsOfPostgres(postmaster) - before) * 1_000) / measured.length
    const kilobytes = measured.reduce((sum, { content }) => sum + content.length, 0) / measured.length / 1_000
    rows.push([kind, measured.length, kilobytes, node, postgres, node + postgres])
    report({ name: `import one ${kind}`, value: node + postgres, unit: 'ms', goal: { atMost: 10 } })
  }
  printTable(['one document of', 'times', 'kB', 'Node, ms', 'PostgreSQL, ms', 'together'], rows)
} finally {
  await store[Symbol.asyncDispose]()
  await dropDatabase('small_documents')
}

async function importEach(documents: readonly SyntheticDocument[]): Promise<void> {
  for (const document of documents) await importSample(store.db, [document], () => {})
}

/** The first hundred lines of a file, each as a file of its own. */
function eachLine(document: SyntheticDocument): SyntheticDocument[] {
  return document.content
    .trim()
    .split('\n')
    .slice(0, 100)
    .map((content) => ({ ...document, content: `${content}\n` }))
}

/** Records of some apps a day later, with more ratings, in an answer each. */
function recordsOneByOne(): SyntheticDocument[] {
  const [newest] = sample.filter(({ kind }) => kind === 'catalogue').slice(-6)
  if (!newest) throw new Error('The sample has no catalogue.')
  const { results } = JSON.parse(newest.content) as { results: { userRatingCount: number }[] }
  return results.slice(0, 80).map((record) => ({
    ...newest,
    observedAt: `${until}T23:00:00Z`,
    content: JSON.stringify({
      resultCount: 1,
      results: [{ ...record, userRatingCount: record.userRatingCount + 5 }],
    }),
  }))
}
