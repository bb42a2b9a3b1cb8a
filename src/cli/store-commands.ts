import { type Command, InvalidArgumentError, Option } from 'commander'
import { configOption, type LocationOptions, locationOptions } from './options.ts'

export interface BackupOptions extends LocationOptions {
  to: string
  keep?: number
  json?: boolean
}

export interface RestoreOptions extends LocationOptions {
  from: string
  backup?: string
  check?: boolean
  json?: boolean
}

export interface MoveOptions extends LocationOptions {
  to: string
  json?: boolean
}

export interface DoctorOptions extends LocationOptions {
  online?: boolean
  json?: boolean
}

/** What is done to a store as a whole. */
export interface StoreActions {
  backup(options: BackupOptions): Promise<number>
  restore(options: RestoreOptions): Promise<number>
  move(options: MoveOptions): Promise<number>
  doctor(options: DoctorOptions): Promise<number>
}

const mostKept = 10_000
const json = () => new Option('--json', 'end with a summary in JSON')
const place =
  'a directory, or s3://bucket/prefix with AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_REGION and AWS_ENDPOINT_URL'

/** Commands that back up a store, restore and move it, and examine it. */
export function storeCommands(
  program: Command,
  run: (perform: (actions: StoreActions) => Promise<number>) => Promise<void>,
): void {
  command('backup', 'back up the store and kept media, while others use them', [
    new Option('--to <place>', `where backups of this store lie: ${place}`).makeOptionMandatory(),
    new Option('--keep <number>', 'how many backups stay there; all when left out').argParser(keptNumber),
    json(),
  ]).action((options: BackupOptions) => run((actions) => actions.backup(options)))
  command('restore', 'restore a backup into an empty store, or check it in a place of its own', [
    new Option('--from <place>', `where the backups lie: ${place}`).makeOptionMandatory(),
    new Option('--backup <name>', 'which one; the newest when left out'),
    new Option(
      '--check',
      'restore into a temporary store (in TMPDIR), compare counts and hashes, and remove it: no other store is touched',
    ),
    json(),
  ]).action((options: RestoreOptions) => run((actions) => actions.restore(options)))
  command('move', 'move the store into an empty one: from the embedded PostgreSQL to another, or back', [
    new Option(
      '--to <url|path>',
      'a PostgreSQL, or the data directory of an embedded store; an address with a password is better in the variable',
    )
      .env('RIVALSCOPE_MOVE_TO')
      .makeOptionMandatory(),
    json(),
  ]).action((options: MoveOptions) => run((actions) => actions.move(options)))
  command('doctor', 'examine the installation, and say what is wrong and what to do about it', [
    new Option('--online', 'also ask whether the sources can be reached'),
    new Option('--json', 'as JSON'),
  ]).action((options: DoctorOptions) => run((actions) => actions.doctor(options)))

  function command(name: string, about: string, own: readonly Option[]): Command {
    const made = program.command(name).description(about)
    for (const option of [...own, ...locationOptions(), configOption()]) made.addOption(option)
    return made
  }
}

function keptNumber(text: string): number {
  const value = Number(text)
  if (!/^\d+$/.test(text) || value < 1 || value > mostKept)
    throw new InvalidArgumentError(`must be a whole number from 1 to ${mostKept}`)
  return value
}
