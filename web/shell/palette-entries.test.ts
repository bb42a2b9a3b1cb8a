import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TrackedAppSummary } from '../evidence/shapes.ts'
import {
  actionsOn,
  fitsVerb,
  pagesThatFit,
  subjectOfTracked,
  trackedThatFit,
  wishOf,
} from './palette-entries.ts'

const tracked = (name: string, country: string, role = 'watched') =>
  ({ appId: name, app: { storeId: name, name }, country, role }) as unknown as TrackedAppSummary

test('a verb at the beginning is taken off what is looked for, and is none inside a word', () => {
  const wishes = ['  Track  sleep timer ', 'refresh', 'go to charts', 'open charts', 'trackday', 'gopher', '']
  assert.deepEqual(
    wishes.map((typed) => wishOf(typed)),
    [
      { verb: 'track', about: 'sleep timer' },
      { verb: 'refresh', about: '' },
      { verb: 'go to', about: 'charts' },
      { verb: 'go to', about: 'charts' },
      { verb: undefined, about: 'trackday' },
      { verb: undefined, about: 'gopher' },
      { verb: undefined, about: '' },
    ],
  )
})

test('tracked apps of the storefront come first, in their order', () => {
  const apps = [tracked('Ferret', 'de'), tracked('Otter', 'us'), tracked('Ferret Two', 'us')]
  const names = (about: string) => trackedThatFit(apps, about, 'us').map(({ app }) => app.name)
  assert.deepEqual(names(''), ['Otter', 'Ferret Two', 'Ferret'])
  assert.deepEqual(names('ferret'), ['Ferret Two', 'Ferret'])
  assert.deepEqual(names('heron'), [])
})

test('an app that is tracked is refreshed, another one tracked or watched, and who may not write only goes there', () => {
  const mine = subjectOfTracked(tracked('Ferret', 'us'))
  const other = { ...mine, tracked: undefined }
  const verbs = (subject: typeof mine, mayWrite: boolean) =>
    actionsOn(subject, mayWrite, []).map(({ as, does }) => as?.role ?? does)
  assert.deepEqual(verbs(mine, true), ['refresh', 'go'])
  assert.deepEqual(verbs(mine, false), ['go'])
  assert.deepEqual(verbs(other, true), ['own', 'rival', 'watched'])
  assert.deepEqual(verbs(other, false), [])
  assert.deepEqual(actionsOn(other, true, undefined), [], 'what is tracked is not known yet')
  const thatFit = (typed: string) =>
    actionsOn(other, true, [])
      .filter((action) => fitsVerb(action, typed))
      .map(({ as }) => as?.role)
  assert.deepEqual(thatFit('track'), ['own', 'rival'])
  assert.deepEqual(thatFit('watch'), ['watched'])
})

test('an app is tracked as a rival of the own app of its storefront, or of the one of several that is chosen', () => {
  const heron = { ...subjectOfTracked(tracked('Heron', 'us')), tracked: undefined }
  const rivals = (apps: readonly TrackedAppSummary[]) =>
    actionsOn(heron, true, apps).flatMap(({ as, verb }) => (as?.role === 'rival' ? [[verb, as.rivalOf]] : []))
  const [otter, brook] = [tracked('Otter', 'us', 'own'), tracked('Brook', 'us', 'own')]
  const elsewhere = tracked('Ferret', 'de', 'own')
  assert.deepEqual(rivals([elsewhere]), [['Track as a competitor:', null]])
  assert.deepEqual(rivals([otter, elsewhere]), [['Track as a competitor of \u2068Otter\u2069:', 'Otter']])
  assert.deepEqual(rivals([otter, brook]), [
    ['Track as a competitor of \u2068Otter\u2069:', 'Otter'],
    ['Track as a competitor of \u2068Brook\u2069:', 'Brook'],
    ['Track as a competitor of all my apps:', null],
  ])
})

test('pages below those of the sidebar are found by their names, and stand in no empty palette', () => {
  const areas = [{ name: 'Home', to: '/', hint: 'Latest changes' }]
  assert.deepEqual(pagesThatFit(areas, ''), areas)
  assert.deepEqual(
    pagesThatFit(areas, 'heat').map(({ to }) => to),
    ['/charts/heatmap'],
  )
  assert.deepEqual(
    ['getting started', 'compare apps', 'files', 'channels', 'alert history', 'weekly report'].map(
      (about) => pagesThatFit([], about)[0]?.to,
    ),
    ['/start', '/apps/compare', '/admin/files', '/alerts/channels', '/alerts/history', '/alerts/report'],
  )
})
