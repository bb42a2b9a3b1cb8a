import assert from 'node:assert/strict'
import { test } from 'node:test'
import { subjectsIn, subjectsText } from './compared.ts'

test('an address names up to six apps, each in a storefront, each once; what names none is left out', () => {
  const named = (text: unknown) => subjectsText(subjectsIn(text, 'us'))
  assert.equal(named('1.us,2.jp'), '1.us,2.jp')
  assert.equal(named('1,2,1.us'), '1.us,2.us')
  assert.equal(named(9000000001), '9000000001.us')
  assert.equal(named('0,x,1.zz,1.us.us,<b>,7.us'), '7.us')
  assert.equal(named('1,2,3,4,5,6,7'), '1.us,2.us,3.us,4.us,5.us,6.us')
  for (const none of [undefined, '', {}, true, ['1'], '1'.repeat(30)]) assert.equal(named(none), '')
})
