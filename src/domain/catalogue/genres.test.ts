import assert from 'node:assert/strict'
import { test } from 'node:test'
import { genreIdByName, genreName, genres } from './genres.ts'

test('the genres are one tree, whose root has all apps', () => {
  assert.deepEqual(
    genres.filter((genre) => genre.parentId === null),
    [{ id: 36, name: 'All apps', parentId: null }],
  )
  const seen = new Set<number>()
  for (const { id, parentId } of genres) {
    assert.ok(!seen.has(id), `${id} is there twice`)
    assert.ok(parentId === null || seen.has(parentId), `${id} comes before its parent ${parentId}`)
    seen.add(id)
  }
})

test('categories lie under the store, and subgenres under games, magazines and stickers', () => {
  for (const { id, parentId } of genres) {
    if (id >= 6000 && id < 7000) assert.equal(parentId, 36)
    if (id >= 7000 && id < 8000) assert.equal(parentId, 6014)
    if (id >= 13000 && id < 14000) assert.equal(parentId, 6021)
    if (id >= 16000 && id < 17000) assert.equal(parentId, 6025)
  }
})

test('a genre is named by its id, and an unknown id has no name', () => {
  assert.equal(genreName(36), 'All apps')
  assert.equal(genreName(6015), 'Finance')
  assert.equal(genreName(7014), 'Role Playing')
  assert.equal(genreName(13001), 'News & Politics')
  assert.equal(genreName(6019), undefined)
})

test('a genre is found by the ways people write its name', () => {
  for (const name of [
    'Photo & Video',
    'Photo and Video',
    'photo & video',
    'PHOTO_AND_VIDEO',
    ' photo-and-video ',
  ]) {
    assert.equal(genreIdByName(name), 6008, name)
  }
  assert.equal(genreIdByName('Social Networking'), 6005)
  assert.equal(genreIdByName('social-networking'), 6005)
  assert.equal(genreIdByName('Games'), 6014)
  assert.equal(genreIdByName('Role-Playing'), 7014)
  assert.equal(genreIdByName('Men’s Interest'), 13020)
})

test('other names that sources use find their genre', () => {
  assert.equal(genreIdByName('App Store'), 36)
  assert.equal(genreIdByName('All Categories'), 36)
  assert.equal(genreIdByName('Book'), 6018)
  assert.equal(genreIdByName('Newsstand'), 6021)
  assert.equal(genreIdByName('Arcade'), 7003)
})

test('a name on two levels means the category', () => {
  assert.equal(genreIdByName('Music'), 6011)
  assert.equal(genreIdByName('Sports'), 6004)
  assert.equal(genreIdByName('Entertainment'), 6016)
})

test('every name in the tree leads to a genre of that name', () => {
  for (const { name } of genres) {
    const id = genreIdByName(name)
    assert.ok(id !== undefined && genreName(id) === name, name)
  }
})

test('an unknown name finds nothing', () => {
  assert.equal(genreIdByName('Groceries'), undefined)
  assert.equal(genreIdByName(''), undefined)
  assert.equal(genreIdByName('遊戲'), undefined)
})
