import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { tutorialNames } from '../scripts/tutorials/tutorial.ts'

/** A page of the site. */
export interface SitePage {
  /** Where it stands in the repository. */
  file: string
  /** Below `/docs/`, without an ending; `index` for the first page of a folder. */
  address: string
  title: string
}

const addresses: Record<string, string> = {
  'README.md': 'index',
  'CHANGELOG.md': 'changelog',
  'CONTRIBUTING.md': 'contributing',
  'GLOSSARY.md': 'glossary',
  'SECURITY.md': 'security',
  'THIRD-PARTY.md': 'third-party',
  'bench/RESULTS.md': 'results',
  'bench/DETAILS.md': 'results-in-detail',
}

/** Everything in docs but what the service shows itself, and the papers beside it. @param repository the folder of the project */
export function pagesOfSite(repository: string): SitePage[] {
  const inDocs = globSync('docs/**/*.md', { cwd: repository }).filter((file) => !file.startsWith('docs/api/'))
  return [...Object.keys(addresses), ...inDocs.sort()].map((file) => ({
    file,
    address:
      addresses[file] ??
      file
        .replace(/^docs\//, '')
        .replace(/\.md$/, '')
        .replace(/README$/, 'index'),
    title: /^# (.+)$/m.exec(readFileSync(join(repository, file), 'utf8'))?.[1] ?? file,
  }))
}

const tutorials = tutorialNames.map((name) => `tutorials/${name}`)
const running = [
  'operations',
  'backup',
  'behind-a-proxy',
  'several-processes',
  'replicas',
  'cluster',
  'kept-media',
  'jobs',
]
const project = [
  ...[
    'architecture',
    'contributing',
    'glossary',
    'changelog',
    'versioning',
    'security',
    'third-party',
    'results',
    'results-in-detail',
  ],
]
const start = ['index', 'using-the-pages', 'tutorials/index']

interface Entry {
  text: string
  link?: string
  items?: Entry[]
}

/** The sidebar of each part of the site, by the beginning of its addresses; the longest that fits counts. */
export function sidebars(pages: readonly SitePage[]): Record<string, Entry[]> {
  const entryOf = ({ address, title }: SitePage): Entry => ({
    text: address === 'index' ? 'What it is' : title,
    link: `/${address.replace(/(^|\/)index$/, '$1')}`,
  })
  const named = (names: readonly string[]) =>
    names.flatMap((name) => pages.filter(({ address }) => address === name)).map(entryOf)
  const below = (folder: string) => pages.filter(({ address }) => address.startsWith(`${folder}/`)).map(entryOf)
  const placed = new Set([...start, ...tutorials, ...running, ...project])
  // What belongs to no other group tells how something is used.
  const using = pages.filter(
    ({ address }) => !placed.has(address) && !/^(?:decisions|models|tutorials)\//.test(address),
  )
  const scores = below('models')
  const decisions = below('decisions')
  const back = { text: 'All documentation', link: '/' }
  return {
    '/': [
      { text: 'Start', items: named(start) },
      { text: 'Tutorials', items: named(tutorials) },
      { text: 'Using it', items: [...using.map(entryOf), ...named(['models/index'])] },
      { text: 'Running it', items: named(running) },
      { text: 'The project', items: [...named(project), { ...decisions[0], text: 'Decisions' }] },
    ],
    // Dozens of pages each: in every sidebar they would be most of every page.
    '/models/': [back, { text: 'Scores, one by one', items: scores }],
    '/decisions/': [back, { text: 'Decisions', items: decisions }],
  }
}
