#!/bin/sh
# mcp-remote 0.15.1, with an API key in --header, before an MCP server that takes keys alone and answers 401 to a wrong one, with
# nothing at /.well-known and 404 at /register, as the specification allows.
#
# One guesses: it says that the key is refused (401). It begins an OAuth sign-in instead, is answered 404 when it asks to be registered as a
# client, takes the digits "404" in the text of that refusal for "this server has no streamable HTTP", asks for the transport of 2024
# and ends with what GET is answered: "SSE error: Non-200 status code (405)". No word of the key or of 401. Where /register answers 403
# with a sentence, it ends at once and shows the sentence.
# Ends with 0 while that is so. It calls loopback only.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true }' >package.json
npm install --ignore-scripts --no-audit --no-fund --loglevel=error mcp-remote@0.15.1 >/dev/null
cat >try.cjs <<'PROGRAM'
const { createServer } = require('node:http')
const { spawn } = require('node:child_process')

/** What mcp-remote says before a server that refuses its key, and registers nobody with this status. */
const said = (registration, sentence) =>
  new Promise((resolve) => {
    const server = createServer((request, reply) => {
      request.resume()
      const isMcp = request.url === '/mcp'
      const status = isMcp ? (request.method === 'POST' ? 401 : 405) : request.url === '/register' ? registration : 404
      const body = isMcp ? { error: 'the key is wrong' } : { error: 'access_denied', error_description: sentence }
      reply.writeHead(status, { 'content-type': 'application/json', ...(status === 401 && { 'www-authenticate': 'Bearer' }) })
      reply.end(JSON.stringify(body))
    }).listen(0, '127.0.0.1', () => {
      const args = [`http://127.0.0.1:${server.address().port}/mcp`, '--header', 'Authorization: Bearer wrong']
      const child = spawn(process.execPath, ['node_modules/mcp-remote/dist/proxy.js', ...args], {
        env: { ...process.env, HOME: process.cwd(), BROWSER: 'true' },
      })
      let text = ''
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (text += chunk))
      const clock = setTimeout(() => child.kill(), 60_000)
      child.on('close', () => {
        clearTimeout(clock)
        server.close()
        server.closeAllConnections()
        resolve(text)
      })
    })
  })

const main = async () => {
  const plain = await said(404, 'nothing here')
  const told = await said(403, 'the key is wrong')
  const last = (text) => text.split('\n').find((line) => line.includes('Fatal error')) ?? text
  console.log('/register 404:', last(plain))
  console.log('/register 403:', last(told))
  const hides = /Fatal error: .*405/.test(plain) && !/the key is wrong/.test(plain) && !/\b401\b/.test(plain)
  if (!hides || !/Fatal error: .*the key is wrong/.test(told)) process.exitCode = 1
}
main()
PROGRAM
node try.cjs
# Seen on 2026-11-28, Node 24:
#   /register 404: [pid] Fatal error: SseError: SSE error: Non-200 status code (405)
#   /register 403: [pid] Fatal error: RegistrationRejectedError: Dynamic Client Registration rejected (HTTP 403): {"error":"access_denied",…}
