import { Argument, type Command, Option } from 'commander'
import type { HandleOptions } from '../operator/handle-commands.ts'
import type { DecidePostsOptions } from '../operator/post-commands.ts'
import { networks } from '../vocabulary/networks.ts'
import { type LocationOptions, locationOptions } from './options.ts'

/** What the commands that link posts to apps do. */
export interface LinkActions {
  linkPosts(options: LocationOptions & DecidePostsOptions): Promise<number>
  unlinkPosts(options: LocationOptions & DecidePostsOptions): Promise<number>
  withdrawPosts(options: LocationOptions & Omit<DecidePostsOptions, 'note'>): Promise<number>
  listPostDecisions(options: LocationOptions & { json?: boolean }): Promise<number>
  declareHandle(options: LocationOptions & HandleOptions): Promise<number>
  removeHandle(options: LocationOptions & HandleOptions): Promise<number>
  listHandles(options: LocationOptions & { json?: boolean }): Promise<number>
}

type Run = (perform: (actions: LinkActions) => Promise<number>) => Promise<void>

/** `rivalscope posts …` and `rivalscope handles …`: which posts belong to which apps, by decision of the operator. */
export function linkCommands(program: Command, run: Run): void {
  const posts = program.command('posts').description('decide which posts belong to an app')
  const ofPosts = (name: string, description: string) =>
    withApp(
      posts
        .command(name)
        .description(description)
        .argument('<postId...>', 'such as tiktok_7174039549943168700'),
    )
  ofPosts('link', 'decide that posts belong to an app')
    .addOption(note())
    .action((postIds: string[], options) => run((actions) => actions.linkPosts({ postIds, ...options })))
  ofPosts('unlink', 'decide that posts do not belong to an app, whatever they or their authors show')
    .addOption(note())
    .action((postIds: string[], options) => run((actions) => actions.unlinkPosts({ postIds, ...options })))
  ofPosts('withdraw', 'take back what was decided: what posts and their authors show counts again').action(
    (postIds: string[], options) => run((actions) => actions.withdrawPosts({ postIds, ...options })),
  )
  listing(posts.command('decisions').description('list what is decided about posts, newest first')).action(
    (options) => run((actions) => actions.listPostDecisions(options)),
  )

  const handles = program.command('handles').description('declare the accounts apps have on networks')
  const ofHandle = (name: string, description: string) =>
    withApp(
      handles
        .command(name)
        .description(description)
        .addArgument(new Argument('<network>').choices(networks))
        .argument(
          '<handle>',
          'with or without @, or the address of the profile; on YouTube the id of the channel',
        ),
    )
  ofHandle(
    'declare',
    'declare an account to be an app’s: its posts, and those that name it, belong to the app, stored or yet to come',
  ).action((network: HandleOptions['network'], handle: string, options) =>
    run((actions) => actions.declareHandle({ network, handle, ...options })),
  )
  ofHandle('remove', 'take a declaration back, with the links that follow from it').action(
    (network: HandleOptions['network'], handle: string, options) =>
      run((actions) => actions.removeHandle({ network, handle, ...options })),
  )
  listing(handles.command('list').description('list the declared accounts with their apps')).action((options) =>
    run((actions) => actions.listHandles(options)),
  )
}

const note = () => new Option('--note <text>', 'why, shown with the link')

function withApp(command: Command): Command {
  for (const option of locationOptions()) command.addOption(option)
  return command.requiredOption('--app <app>', 'App Store id, bundle id or App Store address')
}

function listing(command: Command): Command {
  for (const option of locationOptions()) command.addOption(option)
  return command.option('--json', 'as JSON')
}
