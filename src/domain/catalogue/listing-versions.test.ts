import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  addSightingsToVersions,
  comparePictureSets,
  type FieldSighting,
  type FieldVersion,
  mergeUnchangedVersions,
  pictureIdentity,
} from './listing-versions.ts'

/** The versions after sightings that arrive in batches. */
function seen(...batches: readonly (readonly FieldSighting[])[]): FieldVersion[] {
  const instants: number[] = []
  let versions: FieldVersion[] = []
  for (const batch of batches) {
    versions = addSightingsToVersions(versions, batch, ({ firstSeenAt, lastSeenAt }) =>
      instants.filter((at) => at >= firstSeenAt && at <= lastSeenAt),
    )
    instants.push(...batch.map(({ at }) => at))
  }
  return versions
}

const sighting = fc.record({
  value: fc.constantFrom('Notes', 'Notes Pro', 'Notes: Plan', null),
  at: fc.integer({ min: 0, max: 12 }),
})

test('a value that stays is one version, from its first to its last sighting', () => {
  assert.deepEqual(
    seen([{ value: 'Notes', at: 10 }], [{ value: 'Notes', at: 30 }], [{ value: 'Notes', at: 20 }]),
    [{ value: 'Notes', firstSeenAt: 10, lastSeenAt: 30 }],
  )
})

test('a value that arrives late parts a version where the other value was last and next seen', () => {
  assert.deepEqual(
    seen(
      [10, 20, 40, 50].map((at) => ({ value: 'Notes', at })),
      [{ value: 'Sale', at: 30 }],
    ),
    [
      { value: 'Notes', firstSeenAt: 10, lastSeenAt: 20 },
      { value: 'Sale', firstSeenAt: 30, lastSeenAt: 30 },
      { value: 'Notes', firstSeenAt: 40, lastSeenAt: 50 },
    ],
  )
})

test('of two values of one instant the same one holds, whichever arrives first', () => {
  const [one, other] = [
    { value: 'Notes', at: 10 },
    { value: 'Sale', at: 10 },
  ]
  assert.deepEqual(seen([one], [other]), seen([other], [one]))
})

test('versions are what all sightings show together, in any order and any batches', () => {
  fc.assert(
    fc.property(
      fc
        .array(fc.array(sighting, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 12 })
        .chain((all) => fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length }))),
      ([all, shuffled]) => {
        const versions = seen(...shuffled)
        assert.deepEqual(versions, seen(all.flat()))
        for (const [index, { value, firstSeenAt, lastSeenAt }] of versions.entries()) {
          assert.ok(firstSeenAt <= lastSeenAt)
          const before = versions[index - 1]
          if (before) assert.ok(before.lastSeenAt < firstSeenAt && before.value !== value)
        }
      },
    ),
    { numRuns: 1000 },
  )
})

const upload = (digit: number, name: string) =>
  `${String(digit).repeat(8)}-aaaa-bbbb-cccc-${String(digit).repeat(12)}_${name}`
const at = (build: string, file: string, host = 'is1-ssl', size = '392x696bb.png') =>
  `https://${host}.mzstatic.com/image/thumb/Purple126/v4/ab/cd/ef/${build}/${file}/${size}`
const shot = (digit: number, build = 'one', name = `APP_IPHONE_55_${digit}.png`) =>
  at(build, upload(digit, name))
const icon = (build: string, file = 'AppIcon-0-0-1x_U007emarketing-0-7-0-0-85-220.png') => at(build, file)

test('a screenshot is the same wherever Apple moves it, an icon while its asset is, whatever the build', () => {
  assert.equal(pictureIdentity(shot(1, 'one')), pictureIdentity(shot(1, 'two')))
  assert.notEqual(pictureIdentity(shot(1)), pictureIdentity(shot(2)))
  assert.equal(pictureIdentity(icon('one')), pictureIdentity(icon('two')))
  assert.notEqual(pictureIdentity(at('one', 'pr_source.png')), pictureIdentity(at('two', 'pr_source.png')))
  assert.equal(pictureIdentity('https://example.com/a.png'), 'https://example.com/a.png')
})

test('a new build is no new icon, and neither are new attributes behind the name of its asset', () => {
  const files = [
    'AppIcon-0-0-1x_U007emarketing-0-0-0-7-0-0-sRGB-0-0-0-GLES2_U002c0-512MB-85-220-0-0.png',
    'AppIcon-0-1x_U007emarketing-0-7-0-0-85-220-0.png',
    'AppIcon-1x_U007emarketing-0-7-0-0-0-85-220.png',
    'source',
  ]
  for (const one of files)
    for (const other of files)
      assert.equal(comparePictureSets([icon('one', one)], [icon('two', other)]), 'same')
  const xmas = icon('three', 'AppIconXmas-0-1x_U007emarketing-0-7-0-0-85-220-0.png')
  assert.equal(comparePictureSets([icon('one')], [xmas]), 'not-compared')
})

test('a set changed where there are more, fewer, reordered or newly uploaded pictures', () => {
  const before = [shot(1), shot(2), shot(3)]
  assert.equal(comparePictureSets(before, [shot(1, 'x'), shot(2, 'y'), shot(3)]), 'same')
  assert.equal(comparePictureSets(before, [shot(1), shot(2)]), 'changed')
  assert.equal(comparePictureSets(before, [shot(2), shot(1), shot(3)]), 'changed')
  assert.equal(comparePictureSets(before, [shot(1), shot(2), shot(4)]), 'changed')
  assert.equal(comparePictureSets([at('one', 'pr_source.png')], [at('two', 'pr_source.png')]), 'same')
  assert.equal(
    comparePictureSets([at('one', 'mzl.abcdefgh.png')], [at('two', 'mzl.hgfedcba.png')]),
    'not-compared',
  )
})

test('a whole set uploaded anew under the same names, as tools do with every build, needs a look', () => {
  const names = ['0_APP.png', '1_APP.png']
  const set = (digits: number[]) => digits.map((digit, index) => shot(digit, 'x', names[index]))
  assert.equal(comparePictureSets(set([1, 2]), set([3, 4])), 'not-compared')
  assert.equal(comparePictureSets(set([1, 2]), set([1, 4])), 'changed', 'one of them was replaced')
  assert.equal(comparePictureSets(set([1, 2]), set([2, 1])), 'changed', 'they changed places')
})

test('a film is the same wherever Apple moves it, and another one needs a look', () => {
  const film = (id: number, folder = 'ee/86/c6/ee86c647-bb08-37d2-2b6b-304c18642f27', host = 'apptrailers') =>
    `https://${host}.itunes.apple.com/itunes-assets/PurpleVideo221/v4/${folder}/P${id}_default.m3u8`
  const moved = film(1466534171, '11/22/33/11223344-bb08-37d2-2b6b-304c18642f27', 'apptrailers-ssl')
  const again =
    'https://apptrailers.itunes.apple.com/apple-assets-us-std-000001/PurpleVideo7/v4/a/P1466534171_default.m3u8?x=1'
  assert.equal(comparePictureSets([film(1466534171)], [moved]), 'same')
  assert.equal(comparePictureSets([film(1466534171)], [again]), 'same')
  assert.equal(comparePictureSets([film(1)], [film(2)]), 'not-compared')
  assert.equal(comparePictureSets([film(1), film(2)], [film(1), film(3)]), 'changed')
  assert.equal(comparePictureSets([film(1), film(2)], [film(2), film(1)]), 'changed')
  const versions = [film(1), moved.replace('P1466534171', 'P1')].map((value, at) => ({
    value,
    firstSeenAt: at,
    lastSeenAt: at,
  }))
  assert.equal(mergeUnchangedVersions('previews', versions).length, 1)
})

test('an address that tells nothing does not hide a change between those before and after it', () => {
  const other = icon('three', 'NewLogo-0-1x_U007emarketing-0-7-0-0-85-220-0.png')
  const versions = [icon('one'), icon('two', 'source'), other].map((value, index) => ({
    value,
    firstSeenAt: index,
    lastSeenAt: index,
  }))
  assert.deepEqual(
    mergeUnchangedVersions('iconUrl', versions).map(({ firstSeenAt, lastSeenAt, comparison }) => [
      firstSeenAt,
      lastSeenAt,
      comparison,
    ]),
    [
      [0, 1, null],
      [2, 2, 'not-compared'],
    ],
  )
})

test('moving pictures to other builds, hosts and sizes never makes a difference', () => {
  const digits = fc.uniqueArray(fc.integer({ min: 1, max: 9 }), { maxLength: 9 })
  const word = fc.stringMatching(/^[a-z0-9]{1,8}$/)
  const host = fc.constantFrom('is1-ssl', 'is5-ssl', 'is3')
  fc.assert(
    fc.property(digits, word, word, host, (some, build, size, where) => {
      const moved = some.map((digit) => at(build, upload(digit, 'a.png'), where, `${size}.png`))
      assert.equal(
        comparePictureSets(
          some.map((digit) => at('one', upload(digit, 'a.png'))),
          moved,
        ),
        'same',
      )
    }),
  )
})
