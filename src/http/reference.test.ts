import assert from 'node:assert/strict'
import { test } from 'node:test'
import Fastify from 'fastify'
import { parse } from 'yaml'
import { problems } from '../contract/problems.ts'
import { openApiDocument } from './openapi.ts'
import { referenceRoutes } from './reference.ts'

const app = Fastify()
await referenceRoutes(app)
const get = (url: string) => app.inject({ method: 'GET', url })

test('the document is served as JSON and as YAML', async () => {
  const document = JSON.parse(JSON.stringify(openApiDocument()))
  assert.deepEqual((await get('/openapi.json')).json(), document)
  assert.deepEqual(parse((await get('/openapi.yaml')).body), document)
})

test('the pages load only what this origin serves, and hold no inline script or style', async () => {
  for (const path of ['/docs/reference', '/docs/problems']) {
    const { statusCode, body, headers } = await get(path)
    assert.equal(statusCode, 200, path)
    assert.match(String(headers['content-security-policy']), /default-src 'none'.*script-src 'self'/)
    assert.doesNotMatch(body, /<script(?![^>]*\bsrc=)|<style|\bstyle=|\son[a-z]+=/)
    for (const [, address] of body.matchAll(/<(?:script|link)\b[^>]*\b(?:src|href)="([^"]+)"/g)) {
      assert.match(address ?? '', /^\/docs\/assets\//)
      assert.equal((await get(address ?? '')).statusCode, 200, address)
    }
  }
})

test('only the files the pages need are served', async () => {
  for (const name of [
    'package.json',
    'index.html',
    'swagger-ui.js',
    'page.ts',
    '..%2freference.ts',
    '../openapi.ts',
    '',
  ])
    assert.notEqual((await get(`/docs/assets/${name}`)).statusCode, 200, name)
})

test('every problem has its anchor on the problems page', async () => {
  const { body } = await get('/docs/problems')
  for (const code of Object.keys(problems)) assert.ok(body.includes(`<section id="${code}">`), code)
})
