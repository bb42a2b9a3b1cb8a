/**
 * Writes what the sample evidence answers: with `examples` src/contract/examples, one file for each area of the contract, from
 * the calls in scripts/examples/calls.ts; with `tutorials` what the commands of docs/tutorials print below them. Figures in their
 * prose are for people to mend: `npm test -- tutorials` names those that nothing prints any more.
 */
import { recordExamples } from './examples/recording.ts'
import { fillSample, onTheRecordedDay } from './sample-service.ts'
import { performTutorials } from './tutorials/performing.ts'
import { tutorialFile } from './tutorials/tutorial.ts'
import { writeChanged } from './write-changed.ts'

const wanted = process.argv.slice(2)

await onTheRecordedDay(async () => {
  await using parts = new AsyncDisposableStack()
  const sample = await fillSample(parts)
  if (wanted.includes('examples'))
    for (const [area, examples] of Object.entries(await recordExamples(sample)))
      await writeChanged(
        new URL(`../src/contract/examples/${area}.json`, import.meta.url),
        `${JSON.stringify(examples, null, 2)}\n`,
      )
  if (wanted.includes('tutorials'))
    for (const [name, page] of await performTutorials(sample)) await writeChanged(tutorialFile(name), page)
})
