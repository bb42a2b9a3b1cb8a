import assert from 'node:assert/strict'
import { homedir } from 'node:os'
import { isAbsolute } from 'node:path'
import { test } from 'node:test'
import { profileFile } from './profiles.ts'

test('keys are kept in the configuration directory of a person', () => {
  assert.equal(profileFile({ XDG_CONFIG_HOME: '/c', HOME: '/h' }), '/c/rivalscope/profiles.json')
  assert.equal(profileFile({ HOME: '/h' }), '/h/.config/rivalscope/profiles.json')
})

test('a home that is empty, or relative to where a command is run, never takes keys', () => {
  for (const HOME of ['', '.', 'home', '~'])
    for (const XDG_CONFIG_HOME of ['', 'config']) {
      const file = profileFile({ HOME, XDG_CONFIG_HOME })
      assert.ok(isAbsolute(file), file)
      assert.ok(!file.startsWith(process.cwd()) || process.cwd() === homedir(), file)
    }
})
