/**
 * Performs the commands of docs/tutorials against a demo, and writes what they print below them. Figures in the prose are for
 * people to mend: `npm test -- tutorials` names those that nothing prints any more.
 */
import { writeFile } from 'node:fs/promises'
import { performTutorials } from './tutorials/performing.ts'
import { tutorialFile } from './tutorials/tutorial.ts'

for (const [name, page] of await performTutorials()) await writeFile(tutorialFile(name), page)
