import { runProcess } from '../../support/command-line.ts'
import { address } from './visitor.ts'

const dataDirectory = process.env.RIVALSCOPE_WEB_DATA ?? ''

/** Creates an account for one test, so that what it tracks and saves is seen by no other. @returns its key */
export const createAccount = (name: string, ...rights: string[]): Promise<string> =>
  said([
    ...['keys', 'create', '--name', name, '--account', name, '--scopes', 'context:read,content:write'],
    ...rights,
  ])

/** Creates a link that signs in with the key of an account, once. */
export const createSignInLink = (name: string): Promise<string> =>
  said(['keys', 'link', name, '--public-url', address])

async function said(command: string[]): Promise<string> {
  const { code, out, err } = await runProcess([...command, '--data-dir', dataDirectory])
  if (code !== 0) throw new Error(`${command.join(' ')} failed: ${err}`)
  return out.trim()
}
