import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openFolder } from './support/files.ts'
import { run } from './support/in-process.ts'
import { type Installation, openInstallation } from './support/installation.ts'

const folder = openFolder()
let installation: Installation
before(async () => {
  installation = await openInstallation()
})
after(async () => {
  await installation[Symbol.asyncDispose]()
  folder[Symbol.dispose]()
})

/** A file that is refused, with what its owner knows: values of options by name, and the mapping with its own names. */
interface Refused {
  kind: string
  name: string
  content: string | Uint8Array
  options?: Record<string, string>
  mapping?: Record<string, unknown>
  /** What stands for "…" in a hint. */
  mark?: string
}

const app = { kind: 'software', trackId: 952000001, trackName: 'Tide' }
const post = { fields: { id: 'id', text: 'caption' }, constants: { network: 'x' } }
const listing = { fields: { storeId: 'id', name: 'title' } }

const files: readonly Refused[] = [
  { kind: 'catalogue', name: 'apps.csv', content: 'id,title\n952000001,Tide\n', mapping: listing },
  { kind: 'catalogue', name: 'apps.json', content: '{"id":952000001,"title":"Tide"}', mapping: listing },
  {
    ...{
      kind: 'catalogue',
      name: 'within.json',
      content: '{"data":{"apps":[{"id":952000001,"title":"Tide"}]}}',
    },
    mapping: listing,
  },
  {
    ...{ kind: 'catalogue', name: 'forms.csv' },
    content: 'id;title;price;langs;date\n952000002;Tide;1.234,50;en, de;1/2/19\n',
    mapping: { fields: { ...listing.fields, price: 'price', languages: 'langs', releasedAt: 'date' } },
    mark: ',',
  },
  {
    ...{
      kind: 'catalogue',
      name: 'latin.csv',
      content: Buffer.from('id,title\n952000003,Caf\xe9\n', 'latin1'),
    },
    mapping: listing,
  },
  {
    ...{ kind: 'catalogue', name: 'wide.csv', content: Buffer.from('id,title\n952000004,Tide\n', 'utf16le') },
    mapping: listing,
  },
  {
    ...{ kind: 'charts', name: 'places.csv', content: 'id,name,rank\n952000001,Tide,1\n' },
    options: { country: 'de', chart: 'top-free', category: '36', 'observed-at': '2026-03-01' },
  },
  {
    ...{ kind: 'charts', name: 'dates.csv' },
    content: 'id,name,rank,date,country,chart,genre\n952000001,Tide,1,1/2/26,de,top-free,36\n',
    mapping: {},
  },
  {
    ...{ kind: 'charts', name: 'data.json', content: '{"rows":[{"id":952000001,"rank":1,"name":"Tide"}]}' },
    options: { country: 'fr', chart: 'top-free', category: '36', 'observed-at': '2026-03-01' },
    mapping: {},
  },
  {
    ...{
      kind: 'search-results',
      name: 'page.json',
      content: JSON.stringify({ resultCount: 1, results: [app] }),
    },
    options: { term: 'tide', 'observed-at': '2026-03-01' },
  },
  {
    ...{ kind: 'sales', name: 'days.csv', content: 'app;date;downloads\n952000001;1/2/26;1.234\n' },
    options: { country: 'de' },
    mapping: {},
  },
  {
    ...{ kind: 'sales', name: 'names.csv', content: 'App,Tag,Land,Anzahl\n952000001,2026-02-03,de,5\n' },
    mapping: { fields: { storeId: 'App', day: 'Tag', country: 'Land', downloads: 'Anzahl' } },
  },
  {
    ...{
      kind: 'organic',
      name: 'posts.csv',
      content: 'id,caption,likes,on\n1900000000000009501,a,"1,234",1/2/26\n',
    },
    mapping: { ...post, fields: { ...post.fields, likes: 'likes', publishedAt: 'on' } },
  },
  {
    ...{ kind: 'organic', name: 'year.csv', content: 'id,caption,on\n1900000000000009502,a,3.2.\n' },
    mapping: { ...post, fields: { ...post.fields, publishedAt: 'on' }, dates: { publishedAt: 'd.m.' } },
  },
  {
    ...{ kind: 'organic', name: 'trending.csv', content: 'video_id,title,views\naaaaaaaaa01,T,5\n' },
    mapping: { fields: { id: 'video_id', title: 'title', views: 'views' }, constants: { network: 'youtube' } },
  },
  {
    ...{
      kind: 'organic',
      name: 'posts.json',
      content: '{"total":1,"page":{"rows":[{"id":"1900000000000009503"}]}}',
    },
    mapping: { fields: { id: 'id' }, constants: { network: 'x' } },
  },
  {
    ...{ kind: 'paid-ads', name: 'ads.csv', content: 'ad,from,codes\n9520001,1/2/26,"de, fr"\n' },
    mapping: {
      ...{
        fields: { archiveId: 'ad', startedOn: 'from', countries: 'codes' },
        constants: { platform: 'meta' },
      },
    },
    mark: ',',
  },
  {
    ...{ kind: 'paid-ads', name: 'ads.json', content: '{"found":[{"ad":"9520002","headline":"T"}]}' },
    mapping: { fields: { archiveId: 'ad', title: 'headline' }, constants: { platform: 'tiktok' } },
  },
]

/** What a reason says to do, done with what the owner of the file knows. @returns whether anything was new */
function follow(
  reason: string,
  file: Refused,
  given: Map<string, string>,
  mapping: Record<string, unknown>,
): boolean {
  const before = JSON.stringify([...given, mapping])
  for (const [, option = '', value = ''] of reason.matchAll(/--([a-z-]+)(?: ([\w-]+))?/g)) {
    if (option === 'map') given.set('map', 'FILE')
    else if (given.has(option)) continue
    else if (file.options?.[option]) given.set(option, file.options[option])
    else if (option === 'encoding') given.set(option, value)
  }
  const [, named = ''] = /("(?:dates|numbers|separators)": \{[^}]*\})/.exec(reason) ?? []
  if (named) {
    const part = JSON.parse(`{${named.replace('…', file.mark ?? ',')}}`) as Record<string, object>
    for (const [name, forms] of Object.entries(part)) mapping[name] = { ...(mapping[name] as object), ...forms }
    given.set('map', 'FILE')
  }
  const [, list] = /it has lists at "([^"]+)": name one with "list"/.exec(reason) ?? []
  if (list) {
    mapping.list = list
    given.set('map', 'FILE')
  }
  if (/by a field "year"/.test(reason)) mapping.constants = { ...(mapping.constants as object), year: '2026' }
  return JSON.stringify([...given, mapping]) !== before
}

for (const file of files)
  test(`what a refusal of ${file.name} among ${file.kind} says leads to a good import, step by step`, async () => {
    const path = folder.write(file.name, file.content)
    const given = new Map<string, string>()
    const mapping = structuredClone(file.mapping ?? {})
    for (let steps = 0; ; steps++) {
      const map = given.has('map') ? folder.write('map.json', JSON.stringify(mapping)) : undefined
      const options = [...given].flatMap(([name, value]) => [`--${name}`, name === 'map' ? (map ?? '') : value])
      const command = ['import', file.kind, path, ...options, '--json', ...installation.location]
      const { out, err } = await run(command, { cwd: folder.path })
      assert.notEqual(out, '', err)
      const { stored, rejected } = JSON.parse(out) as { stored: number; rejected: number }
      if (rejected === 0) {
        assert.ok(steps > 0, 'it was refused at first')
        assert.equal(stored, 1)
        return
      }
      const [, reason = ''] = /First refused: (.*)/.exec(err) ?? []
      assert.ok(steps < 9 && follow(reason, file, given, mapping), `nothing new to do: ${reason}`)
    }
  })
