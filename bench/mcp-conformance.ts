import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { parseArgs } from 'node:util'
import { print, printTable } from './figures.ts'
import { keyProxy } from './key-proxy.ts'

/**
 * Runs the official conformance suite and the command line of the MCP Inspector against a running server, over /mcp and
 * over `rivalscope mcp`, and prints the results. Both tools are fetched at these versions and are no dependency.
 *
 *   bin/rivalscope demo --rate-limit 0 &
 *   RIVALSCOPE_KEY=rsk_... node bench/mcp-conformance.ts --server http://127.0.0.1:8787
 */
const suite = '@modelcontextprotocol/conformance@0.1.16'
const inspector = '@modelcontextprotocol/inspector@2.12.0'

const { values } = parseArgs({ options: { server: { type: 'string', default: 'http://127.0.0.1:8787' } } })
const { server } = values
const { RIVALSCOPE_KEY: key = '' } = process.env
const here = (file: string) => new URL(file, import.meta.url).pathname

const unexpected = (await conformance()) + (await inspections())
print(unexpected === 0 ? '\nAll as expected.' : `\n${unexpected} not as expected.`)
process.exitCode = unexpected === 0 ? 0 : 1

/** @returns 1 when a scenario ended otherwise than the baseline says */
async function conformance(): Promise<number> {
  const results = await mkdtemp(join(tmpdir(), 'conformance-'))
  try {
    await using proxy = await keyProxy(server, key)
    const options = [
      '--suite',
      'all',
      '--expected-failures',
      here('mcp-conformance-baseline.yml'),
      '-o',
      results,
    ]
    const { code, out } = await npx(suite, [
      'conformance',
      'server',
      '--url',
      `${proxy.address}/mcp`,
      ...options,
    ])
    print(`${suite}, scenarios of the protocol versions 2025-06-18 and 2025-11-25\n`)
    printTable(['scenario', 'checks passed', 'failed', 'what failed'], await scenariosIn(results))
    print(code === 0 ? '\nAll others failed as the baseline says.' : out.slice(out.lastIndexOf('Unexpected')))
    return code === 0 ? 0 : 1
  } finally {
    await rm(results, { recursive: true, force: true })
  }
}

interface Check {
  status: string
  errorMessage?: string
}

async function scenariosIn(directory: string): Promise<(string | number)[][]> {
  const rows: (string | number)[][] = []
  for (const name of (await readdir(directory)).sort()) {
    const checks = JSON.parse(await readFile(join(directory, name, 'checks.json'), 'utf8')) as Check[]
    const failed = checks.filter(({ status }) => status === 'FAILURE')
    const passed = checks.filter(({ status }) => status === 'SUCCESS')
    const scenario = name.replace(/^server-|-\d{4}-\d\d-\d\dT.*$/g, '')
    rows.push([scenario, passed.length, failed.length, failed[0]?.errorMessage?.slice(0, 80) ?? ''])
  }
  return rows
}

/** @returns how many ended otherwise than they should */
async function inspections(): Promise<number> {
  const call = (tool: string, given: object) => [
    ...['--method', 'tools/call', '--tool-name', tool],
    ...['--tool-args-json', JSON.stringify(given)],
  ]
  const methods: { reported: string; options: string[]; ends: number; shows: RegExp }[] = [
    {
      reported: 'tools/list',
      options: ['--method', 'tools/list', '--strict'],
      ends: 0,
      shows: /"search_competitors"/,
    },
    {
      reported: 'get_apple_charts',
      options: call('get_apple_charts', { limit: 5 }),
      ends: 0,
      shows: /"rank": 1/,
    },
    { reported: 'list_aso_apps', options: call('list_aso_apps', {}), ends: 0, shows: /"items"/ },
    {
      reported: 'get_competitor, wrong country',
      options: call('get_competitor', { storeId: '9000000001', country: 'zz' }),
      ends: 5,
      shows: /\/country: is not a country/,
    },
    {
      reported: 'get_competitor, unknown app',
      options: call('get_competitor', { storeId: '1' }),
      ends: 5,
      shows: /competitor-not-found/,
    },
    { reported: 'get_weather', options: call('get_weather', {}), ends: 5, shows: /get_weather/ },
    { reported: 'prompts/list', options: ['--method', 'prompts/list'], ends: 0, shows: /"morning_check"/ },
    {
      reported: 'prompts/get morning_check',
      options: ['--method', 'prompts/get', '--prompt-name', 'morning_check', '--prompt-args', 'app=9000000001'],
      ends: 0,
      shows: /get_apple_chart_history/,
    },
  ]
  const ways = {
    '/mcp': [`${server}/mcp`, '--header', `Authorization: Bearer ${key}`],
    'rivalscope mcp': [
      here('../bin/rivalscope'),
      'mcp',
      '-e',
      `RIVALSCOPE_KEY=${key}`,
      '-e',
      `RIVALSCOPE_SERVER=${server}`,
    ],
  }
  const rows: (string | number)[][] = []
  for (const [way, target] of Object.entries(ways))
    for (const era of ['legacy', 'modern'])
      for (const { reported, options, ends, shows } of methods) {
        const asked = ['mcp-inspector', '--cli', ...target, '--protocol-era', era, ...options]
        const { code, out } = await npx(inspector, asked)
        rows.push([
          reported,
          way,
          era,
          code,
          code === ends && shows.test(out) ? 'as expected' : out.slice(-200),
        ])
      }
  print(`\n${inspector} --cli\n`)
  printTable(['what', 'over', 'era', 'ends with', 'outcome'], rows)
  return rows.filter(([, , , , outcome]) => outcome !== 'as expected').length
}

/** What a package's command says and ends with. */
async function npx(from: string, command: readonly string[]): Promise<{ code: number; out: string }> {
  const child = spawn('npx', ['--yes', '--package', from, '--', ...command], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  return { code: Number(code), out: out + err }
}
