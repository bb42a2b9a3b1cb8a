/**
 * Lists what has to be touched for something new, with file and line: the places that name one of its kind that is there. So it says
 * what is so today.
 *
 *   npm run new -- operation get_competitor_press
 *   npm run new -- field sound_name --like hashtags
 *   npm run new -- network mastodon
 */
import { parseArgs } from 'node:util'
import { exampleNames, filesNaming, placesReport } from './places.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { like: { type: 'string' } },
})
const [kind = '', name = '', ...more] = positionals
const like = values.like ?? Object.entries(exampleNames).find(([one]) => one === kind)?.[1]

if (like === undefined || !Object.hasOwn(exampleNames, kind) || more.length > 0)
  refuse(
    `Say what is new and its name: npm run new -- ${Object.keys(exampleNames).join('|')} NAME [--like NAME]`,
  )
if (!/^[a-z][a-z0-9]*(?:[_-][a-z0-9]+)*$/.test(name))
  refuse(`A name is small letters, digits and _ such as ${exampleNames.operation}, not ${name || 'nothing'}.`)
const [known] = filesNaming(name)
if (known) refuse(`${name} is there already: ${known.file}:${known.line}`)
if (filesNaming(like).length === 0) refuse(`Nothing names ${like}: --like takes what is there already.`)
process.stdout.write(placesReport(name, like))

function refuse(why: string): never {
  process.stderr.write(`${why}\n`)
  process.exit(1)
}
