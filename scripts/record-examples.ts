/**
 * Writes src/contract/examples/*.json, one file for each area of the contract: the replies of a service with the sample
 * evidence to the calls in scripts/examples/calls.ts. `write-reference.ts` then includes them in the reference. A test
 * repeats the recording and compares.
 */
import { writeFile } from 'node:fs/promises'
import { recordExamples } from './examples/recording.ts'

for (const [area, examples] of Object.entries(await recordExamples())) {
  const file = new URL(`../src/contract/examples/${area}.json`, import.meta.url)
  await writeFile(file, `${JSON.stringify(examples, null, 2)}\n`)
}
