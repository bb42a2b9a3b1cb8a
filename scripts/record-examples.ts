/**
 * Writes src/contract/examples/*.json, one file for each area of the contract: what a service with the sample evidence
 * answers to the calls of scripts/examples/calls.ts. Then `write-reference.ts` shows them in the reference. A test records
 * again and compares.
 */
import { writeFile } from 'node:fs/promises'
import { recordExamples } from './examples/recording.ts'

for (const [area, examples] of Object.entries(await recordExamples())) {
  const file = new URL(`../src/contract/examples/${area}.json`, import.meta.url)
  await writeFile(file, `${JSON.stringify(examples, null, 2)}\n`)
}
