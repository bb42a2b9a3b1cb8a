import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pictureIdentity, sameness } from './picture-identity.ts'

const upload = (digit: number, name: string) =>
  `${String(digit).repeat(8)}-aaaa-bbbb-cccc-${String(digit).repeat(12)}_${name}`
const at = (build: string, file: string, host = 'is1-ssl', size = '392x696bb.png') =>
  `https://${host}.mzstatic.com/image/thumb/Purple126/v4/ab/cd/ef/${build}/${file}/${size}`
const shot = (digit: number, build = 'one') => at(build, upload(digit, 'APP_IPHONE_55_0.png'))

test('a screenshot is the same wherever Apple moves it, an icon only with its whole path', () => {
  assert.equal(pictureIdentity(shot(1, 'one')), pictureIdentity(shot(1, 'two')))
  assert.notEqual(pictureIdentity(shot(1)), pictureIdentity(shot(2)))
  const icon = (build: string, host?: string, size?: string) =>
    pictureIdentity(at(build, 'AppIcon-0-85-220.png', host, size))
  assert.equal(icon('one'), icon('one', 'is5-ssl', '100x100bb.png'))
  assert.notEqual(icon('one'), icon('two'))
  assert.equal(pictureIdentity('https://example.com/a.png'), 'https://example.com/a.png')
})

test('a set changed where there are more, fewer or reordered pictures; others need a look', () => {
  const before = [shot(1), shot(2), shot(3)]
  assert.equal(sameness(before, [shot(1, 'x'), shot(2, 'y'), shot(3)]), 'same')
  assert.equal(sameness(before, [shot(1), shot(2)]), 'changed')
  assert.equal(sameness(before, [shot(2), shot(1), shot(3)]), 'changed')
  assert.equal(sameness(before, [shot(2), shot(1), shot(4)]), 'changed')
  assert.equal(sameness(before, [shot(1), shot(2), shot(4)]), 'not-compared')
  assert.equal(sameness([at('one', 'icon.png')], [at('two', 'icon.png')]), 'not-compared')
})
