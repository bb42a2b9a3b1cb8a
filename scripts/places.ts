import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** An existing thing of each kind: the places that name it are those that a new one has to touch. */
export const exampleNames = { operation: 'get_competitor_media', field: 'hashtags', network: 'reddit' }

/** What has to be done in a place, by the prefix of its path; the first that matches counts. */
export const placesToTouch: Readonly<Record<string, string>> = {
  'src/vocabulary/': 'the word with what is known of it: types, enums and choices follow',
  'migrations/':
    'schema: in a new migration that adds a column, or the word to its domain; a released one stays as it is',
  'src/contract/examples/': 'recorded: npm run record -- examples reference',
  'src/contract/shapes/': 'shapes of replies',
  'src/contract/': 'the row: arguments, reply, problems, what is shown at a glance',
  'src/api/': 'the handler, and from what is stored to the reply',
  'src/domain/': 'what the product knows of it, with its SQL',
  'src/suppliers/': 'how its payloads are read, and how it is asked',
  'src/ingest/': 'what parsers are made of; what mappings may name',
  'src/data/': 'tables of words and figures, with their sources',
  'src/text/': 'how its words are recognised',
  'src/cli/': 'how people read it at a terminal',
  'src/mcp/': 'prompts of agents',
  'src/client/': 'recorded: npm run record -- reference',
  'web/': 'the pages',
  'sample/': 'made-up evidence, so that the demo shows it',
  'scripts/examples/': 'the call of its example: npm run record -- examples reference',
  'docs/api/': 'recorded: npm run record -- reference',
  'docs/': 'what people read of it',
  'bench/': 'benchmarks',
  'tests/': 'tests',
}

interface Found {
  /** The beginning of the path, of `placesToTouch`; undefined where nothing is said of it. */
  place: string | undefined
  file: string
  /** The first line that names it. */
  line: number
  text: string
}

/** Every file with a name in snake case, kebab case, camel case or Pascal case. */
export function filesNaming(name: string): Found[] {
  const words = name.split(/[_-]/)
  const upper = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')
  const ways = [words.join('_'), words.join('-'), upper.charAt(0).toLowerCase() + upper.slice(1), upper]
  const wanted = [...new Set(ways)].flatMap((way) => ['-e', way])
  const root = fileURLToPath(new URL('..', import.meta.url))
  // All of src, so that a folder of which nothing is said is found.
  const folders = [...new Set(Object.keys(placesToTouch).map((place) => place.replace(/^src.*/, 'src')))]
  // It exits with 1 where it finds nothing.
  const { stdout } = spawnSync(
    'git',
    ['grep', '-nwI', '--max-count=1', ...wanted, '--', ...folders, ':!docs/decisions', ':!tests/new.test.ts'],
    {
      cwd: root,
      encoding: 'utf8',
    },
  )
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((found) => {
      const [, file = '', line, text = ''] = /^([^:]+):(\d+):(.*)$/.exec(found) ?? []
      return {
        place: Object.keys(placesToTouch).find((one) => file.startsWith(one)),
        file,
        line: Number(line),
        text,
      }
    })
}

/** @param like what is there already and resembles it */
export function placesReport(name: string, like: string): string {
  const found = filesNaming(like)
  const sections = Object.entries(placesToTouch).flatMap(([place, what]) => {
    const here = found.filter((one) => one.place === place)
    if (here.length === 0) return []
    return [
      `${place}  ${what}\n`,
      ...here.map(({ file, line, text }) => `  ${file}:${line}  ${text.trim().slice(0, 80)}\n`),
      '\n',
    ]
  })
  return [
    `For ${name}, look at what names ${like}:\n\n`,
    ...sections,
    'Then: npm run check, npm run record, npm test. CONTRIBUTING.md says more of each step.\n',
  ].join('')
}
