import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { completionTrees } from '../src/cli/completion/tree.ts'
import { LazyCommand } from '../src/cli/lazy-command.ts'
import { buildProgram } from '../src/cli/program.ts'
import table from '../src/client/routes.json' with { type: 'json' }
import { operatorTable } from '../src/commands.ts'
import { projectionNames } from '../src/projections/names.ts'
import { openFolder } from './support/files.ts'
import { run, testContext } from './support/in-process.ts'

const rivalscope = fileURLToPath(new URL('../bin/rivalscope', import.meta.url))
const has = (shell: string) => spawnSync(shell, ['-c', 'exit 0']).status === 0
const withBash = has('bash') ? {} : { skip: 'bash is not installed' }
const withZsh = has('zsh') ? {} : { skip: 'zsh is not installed' }

const folder = openFolder()
const directory = folder.path
before(async () => {
  for (const shell of ['bash', 'zsh'])
    writeFileSync(join(directory, shell), (await run(['completion', shell])).out)
  writeFileSync(
    join(directory, 'driver.bash'),
    ['source "$1"', 'COMP_LINE=$2 COMP_POINT=$3', '_rivalscope', `printf "%s\\n" "\${COMPREPLY[@]}"`].join(
      '\n',
    ),
  )
  writeFileSync(join(directory, 'ads one.ndjson'), '')
})
after(() => folder[Symbol.dispose]())

/** What bash offers for a line with the cursor at its end. */
function offered(line: string, env: NodeJS.ProcessEnv = process.env): string[] {
  const out = execFileSync(
    'bash',
    [join(directory, 'driver.bash'), join(directory, 'bash'), line, String(line.length)],
    {
      encoding: 'utf8',
      cwd: directory,
      env,
    },
  )
  return out.split('\n').filter(Boolean)
}

test('bash completes every command of an operation and of the operator', withBash, () => {
  const all = offered('rivalscope ')
  for (const tool of Object.keys(table)) assert.ok(all.includes(tool.replaceAll('_', '-')), tool)
  for (const command of ['serve', 'keys', 'profile', 'completion']) assert.ok(all.includes(command), command)
  assert.deepEqual(offered('rivalscope get-apple-'), ['get-apple-charts', 'get-apple-chart-history'])
  assert.deepEqual(offered('rivalscope keys '), ['create', 'list', 'rotate', 'revoke', 'link'])
  assert.deepEqual(offered('rivalscope import org'), ['organic'])
})

test('bash completes the options of a command, also behind other options and their values', withBash, () => {
  assert.deepEqual(offered('rivalscope get-apple-charts --dev'), ['--device'])
  assert.deepEqual(offered('rivalscope get-apple-charts --country jp --cha'), ['--chart'])
  assert.deepEqual(offered('rivalscope search-paid-ads --active --sor'), ['--sort'])
  assert.deepEqual(offered('rivalscope search-paid-ads --active true --sor'), ['--sort'])
  assert.deepEqual(offered('rivalscope get-competitor 281796108 --coun'), ['--country'])
  assert.ok(offered('rivalscope get-competitor --').includes('--help'))
})

test('bash completes the words an option can have, as one word or after an equals sign', withBash, () => {
  assert.deepEqual(offered('rivalscope get-apple-charts --chart top-'), [
    'top-free',
    'top-paid',
    'top-grossing',
  ])
  assert.deepEqual(offered('rivalscope get-apple-charts --country j'), ['jm', 'jo', 'jp'])
  assert.deepEqual(offered('rivalscope get-apple-charts --chart=top-g'), ['top-grossing'])
  assert.deepEqual(offered('rivalscope search-organic-content --sort o'), ['outlier'])
  assert.deepEqual(offered('rivalscope search-paid-ads --active '), ['true', 'false'])
})

test('bash completes lists after each comma, and words with a colon', withBash, () => {
  assert.deepEqual(offered('rivalscope search-organic-content --network tiktok,y'), ['tiktok,youtube'])
  assert.deepEqual(offered('rivalscope keys create --scopes con'), ['context:read', 'content:write'])
  assert.deepEqual(offered('rivalscope keys create --scopes context:r'), ['read'])
})

test('bash completes what stands in the path by its place', withBash, () => {
  assert.deepEqual(offered('rivalscope get-paid-ad '), ['meta', 'tiktok', 'snapchat', 'google', 'apple'])
  assert.deepEqual(offered('rivalscope get-paid-ad meta '), [])
  assert.deepEqual(offered('rivalscope update-aso-app-role 01995a10 --role r'), ['rival'])
})

test('bash completes the projections that replay takes, each of several', withBash, () => {
  assert.deepEqual(offered('rivalscope replay '), [...projectionNames])
  assert.deepEqual(offered('rivalscope replay sa'), ['sales'])
  assert.deepEqual(offered('rivalscope replay sales cha'), ['charts'])
})

test('bash completes files where files are meant, and nowhere else', withBash, () => {
  assert.deepEqual(offered('rivalscope import paid-ads a'), ['ads one.ndjson'])
  assert.deepEqual(offered('rivalscope admin-import-paid-ads --records @a'), ['@ads\\ one.ndjson'])
  assert.deepEqual(offered('rivalscope search-competitors --q a'), [])
})

test('bash completes the names of profiles as they are now', withBash, async () => {
  const bin = join(directory, 'bin')
  mkdirSync(bin)
  writeFileSync(join(bin, 'rivalscope'), `#!/bin/sh\nexec ${JSON.stringify(rivalscope)} "$@"\n`, {
    mode: 0o755,
  })
  const config = { XDG_CONFIG_HOME: join(directory, 'config') }
  const env = { ...process.env, PATH: `${bin}:${process.env.PATH}`, ...config }
  for (const name of ['work', 'studio'])
    await run(['profile', 'set', name, '--server', 'https://rivalscope.example.org'], { env: config })
  assert.deepEqual(offered('rivalscope get-competitor --profile ', env).sort(), ['studio', 'work'])
  assert.deepEqual(offered('rivalscope profile use w', env), ['work'])
})

test('completing words asks nobody: rivalscope is not even started', withBash, () => {
  const bin = join(directory, 'watched')
  const started = join(directory, 'started')
  mkdirSync(bin)
  writeFileSync(join(bin, 'rivalscope'), `#!/bin/sh\ntouch ${JSON.stringify(started)}\n`, { mode: 0o755 })
  const env = { ...process.env, PATH: `${bin}:${process.env.PATH}` }
  assert.deepEqual(offered('rivalscope search-organic-content --network tiktok,y', env), ['tiktok,youtube'])
  assert.ok(!existsSync(started))
  offered('rivalscope profile use w', env)
  assert.ok(existsSync(started), 'only names of profiles are asked for')
})

test('zsh completes commands, options, words, lists and files', withZsh, () => {
  const lines = {
    'rivalscope get-apple-chart-h': 'rivalscope get-apple-chart-history ',
    'rivalscope keys rev': 'rivalscope keys revoke ',
    'rivalscope replay sa': 'rivalscope replay sales ',
    'rivalscope replay sales cha': 'rivalscope replay sales charts ',
    'rivalscope get-apple-charts --dev': 'rivalscope get-apple-charts --device ',
    'rivalscope get-apple-charts --country jp --chart top-g':
      'rivalscope get-apple-charts --country jp --chart top-grossing ',
    'rivalscope get-apple-charts --chart=top-g': 'rivalscope get-apple-charts --chart=top-grossing ',
    'rivalscope search-organic-content --network tiktok,y':
      'rivalscope search-organic-content --network tiktok,youtube,',
    'rivalscope keys create --scopes conte': 'rivalscope keys create --scopes conte',
    'rivalscope get-paid-ad me': 'rivalscope get-paid-ad meta ',
    'rivalscope import paid-ads ads': 'rivalscope import paid-ads ads\\ one.ndjson ',
  }
  const driver = join(directory, 'driver.zsh')
  writeFileSync(
    driver,
    `zmodload zsh/zpty
zpty shell "zsh -f -i"
send() { zpty -w shell "$1" }
send 'PS1=""; unsetopt beep; cd ${JSON.stringify(directory)}; autoload -U compinit; compinit -u -D'
send 'source ${JSON.stringify(join(directory, 'zsh'))}'
send 'show() { print -r -- "<<$BUFFER>>"; BUFFER="" }; zle -N show; bindkey "^X" show; print rea""dy'
zpty -r shell out '*ready*'
for line in "$@"; do
  zpty -w -n shell "$line"$'\\t'$'\\x18'
  zpty -r shell out '*<<*>>*'
  print -r -- "\${\${out##*<<}%%>>*}"
done
zpty -d shell
`,
  )
  const out = execFileSync('zsh', ['-f', driver, ...Object.keys(lines)], { encoding: 'utf8', timeout: 60_000 })
  const shown = out.split(/\r?\n/).filter(Boolean)
  assert.deepEqual(
    shown.map((line) => line.trimEnd()),
    Object.values(lines).map((line) => line.trimEnd()),
  )
})

test('every command on the page about the command line exists, with the options it shows', async () => {
  const page = readFileSync(new URL('../docs/cli.md', import.meta.url), 'utf8')
  const lines = [...page.matchAll(/^\$ rivalscope (.*?)(?: [|<>].*| {2,}#.*)?$/gm)].map(([, line = '']) => line)
  assert.ok(lines.length > 15)
  const program = buildProgram(
    {
      version: '0',
      operator: operatorTable,
      perform: () => assert.fail('not run'),
      openApi: () => assert.fail('not run'),
    },
    () => {},
    testContext(),
  )
  for (const command of program.commands) if (command instanceof LazyCommand) await command.prepare()
  const trees = new Map(completionTrees(program).map((tree) => [tree.path, tree]))
  for (const line of lines) {
    const [first = '', second = ''] = line.split(' ')
    const tree = trees.get(`${first} ${second}`) ?? trees.get(first)
    assert.ok(tree, line)
    for (const [option] of line.matchAll(/--[a-z-]+/g))
      assert.ok(
        tree.options.some(({ name }) => name === option),
        `${line}: ${option}`,
      )
  }
})
