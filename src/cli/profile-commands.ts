import { text } from 'node:stream/consumers'
import type { Command } from 'commander'
import type { CommandContext, ScreenStream } from './command-context.ts'
import { ConnectionError, checkedKey, connectionHelp, serverAddress } from './connection.ts'
import { withoutControls } from './present/harmless-text.ts'
import {
  changeProfiles,
  type Profile,
  ProfileFileError,
  type Profiles,
  profileFile,
  profileNameShape,
  readProfiles,
} from './profiles.ts'

/** `rivalscope profile …`: servers and keys under names, in a file only its owner can read. */
export function profileCommands(program: Command, end: (code: number) => void, context: CommandContext): void {
  const { env, stderr } = context
  const file = () => profileFile(env)
  const profile = program
    .command('profile')
    .description('keep servers and their keys under names, for the commands of operations')
    .addHelpText('after', () => `\n${connectionHelp}\nProfiles are kept in ${file()}.`)
  const run = (perform: () => Promise<void> | void) => endWith(perform, end, stderr)
  profile
    .command('set')
    .description('make or change a profile; the first one is in use from then on')
    .argument('<name>')
    .requiredOption('--server <url>', 'address of the running server')
    .option('--key-stdin', 'read its key from standard input; without, the key of the same server is kept')
    .addHelpText(
      'after',
      '\nExample:\n  rivalscope profile set work --server https://rivalscope.example.org --key-stdin < key',
    )
    .action((name: string, options) => run(() => setProfile(name, options, context)))
  profile
    .command('list')
    .description('name all profiles, without their keys')
    .option('--json', 'as JSON')
    .action(({ json }) => run(() => listProfiles(json, context)))
  profile
    .command('use')
    .description('use a profile where nothing else is said')
    .argument('<name>')
    .action((name: string) =>
      run(() => changeKnown(file(), name, (profiles) => ({ ...profiles, current: name }))),
    )
  profile
    .command('remove')
    .description('forget a profile and its key')
    .argument('<name>')
    .action((name: string) =>
      run(() =>
        changeKnown(file(), name, ({ current, named }) => ({
          current: current === name ? undefined : current,
          named: new Map([...named].filter(([known]) => known !== name)),
        })),
      ),
    )
}

async function endWith(
  perform: () => Promise<void> | void,
  end: (code: number) => void,
  stderr: ScreenStream,
): Promise<void> {
  try {
    await perform()
    end(0)
  } catch (error) {
    if (!(error instanceof ConnectionError) && !(error instanceof ProfileFileError)) throw error
    stderr.write(`error: ${withoutControls(error.message)}\n`)
    end(2)
  }
}

async function setProfile(
  name: string,
  options: { server: string; keyStdin?: boolean },
  context: CommandContext,
): Promise<void> {
  const { env, stderr } = context
  if (!profileNameShape.test(name))
    throw new ConnectionError('<name>: letters, digits, dots, dashes and underscores, 64 at most')
  const server = serverAddress(options.server, '--server')
  const given = options.keyStdin ? await givenKey(context) : undefined
  let key = given
  changeProfiles(profileFile(env), ({ current, named }) => {
    const before = named.get(name)
    // A key belongs to one server: changing the address removes the key.
    key = given ?? (before?.server === server ? before.key : undefined)
    const profile: Profile = { server, ...(key === undefined ? {} : { key }) }
    return { current: current ?? name, named: new Map([...named, [name, profile]]) }
  })
  if (key === undefined) stderr.write('It has no key yet: --key-stdin reads one.\n')
}

async function givenKey({ stdin, stderr }: CommandContext): Promise<string> {
  if (stdin.isTTY) stderr.write('Paste the key, then press Enter and Ctrl-D.\n')
  return checkedKey(await text(stdin), '--key-stdin')
}

function listProfiles(json: boolean | undefined, { env, stdout, stderr }: CommandContext): void {
  const { current, named } = readProfiles(profileFile(env))
  const profiles = [...named].map(([name, { server, key }]) => ({
    name,
    // Checked, since somebody may have edited a password into the file.
    server: serverAddress(server, `profile "${name}"`),
    key: key === undefined ? 'none' : 'kept',
    inUse: name === current,
  }))
  if (json) stdout.write(`${JSON.stringify(profiles)}\n`)
  else if (profiles.length === 0) stderr.write('There are no profiles: rivalscope profile set makes one.\n')
  const width = Math.max(...profiles.map(({ name }) => name.length))
  if (!json)
    for (const { name, server, key, inUse } of profiles)
      stdout.write(
        `${inUse ? '*' : ' '} ${name.padEnd(width)}  ${server}  ${key === 'kept' ? 'key kept' : 'no key'}\n`,
      )
}

function changeKnown(file: string, name: string, change: (profiles: Profiles) => Profiles): void {
  changeProfiles(file, (profiles) => {
    if (profiles.named.has(name)) return change(profiles)
    const known = [...profiles.named.keys()].join(', ') || 'none'
    throw new ConnectionError(`no profile is called "${name.slice(0, 64)}"; there are: ${known}`)
  })
}
