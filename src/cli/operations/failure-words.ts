import { RivalscopeProblem, ServerUnreachable } from '../../client/failures.ts'
import { contract } from '../../contract/contract.ts'
import { toFlatPointer } from '../../contract/flat-arguments.ts'
import { type ProblemCode, problems } from '../../contract/problems.ts'
import { ConnectionError } from '../connection.ts'
import { withoutControls } from '../present/harmless-text.ts'
import { ProfileFileError } from '../profiles.ts'
import { UnknownAnswer } from './answers.ts'
import { UnknownApp } from './app-arguments.ts'
import { type Misuse, optionOfPointer, UsageError, withOptionNames } from './given.ts'
import type { Parameter } from './parameters.ts'
import { asTerminalText, flagOf, toKebabCase } from './words.ts'

/** The message of a failed call, and the exit code: 2 for wrong usage. Undefined for internal errors. */
export function explainOperationFailure(
  error: unknown,
  parameters: readonly Parameter[],
): { message: string; code: 1 | 2 } | undefined {
  if (error instanceof UsageError) return { message: misuseText(error.misuses), code: 2 }
  if (error instanceof ConnectionError || error instanceof ProfileFileError)
    return { message: `error: ${error.message}`, code: 2 }
  if (error instanceof ServerUnreachable || error instanceof UnknownAnswer || error instanceof UnknownApp)
    return { message: `error: ${withoutControls(error.message)}`, code: 1 }
  if (!(error instanceof RivalscopeProblem)) return undefined
  const misuses = misusesOf(error, parameters)
  return misuses.length > 0
    ? { message: misuseText(misuses), code: 2 }
    : { message: problemText(error, parameters), code: 1 }
}

function misusesOf({ code, detail, errors }: RivalscopeProblem, parameters: readonly Parameter[]): Misuse[] {
  if (code === 'invalid-cursor') return [{ place: '--cursor', message: detail }]
  return errors.map(({ pointer, message }) => ({
    place: optionOfPointer(toFlatPointer(pointer), parameters),
    message: withOptionNames(message, parameters),
  }))
}

function misuseText(misuses: readonly Misuse[]): string {
  const lines = misuses.map(({ place, message }) => `error: ${withoutControls(`${place}: ${message}`)}`)
  const lists = Object.entries(listedBy)
    .filter(([name]) =>
      misuses.some(({ place }) => place === `<${toKebabCase(name)}>` || place === flagOf(name)),
    )
    .map(([, sentence]) => sentence)
  return [...lines, ...new Set(lists), '(add --help for usage)'].join('\n')
}

function problemText(
  { code, title, detail, requestId, intake, retryAfterSeconds }: RivalscopeProblem,
  parameters: readonly Parameter[],
): string {
  const words = (text: string) =>
    asTerminalText(
      text,
      contract,
      parameters.map(({ name }) => name),
    )
  const next =
    code === 'unauthenticated'
      ? 'It came from --key, RIVALSCOPE_KEY or a profile. An operator makes keys with rivalscope keys create.'
      : Object.hasOwn(problems, code) && words(problems[code].explanation)
  const wrong = Object.hasOwn(wrongArgument, code) ? wrongArgument[code as ProblemCode] : undefined
  const listed = wrong === undefined ? undefined : listedBy[wrong]
  return [
    `error: ${title} (${code})`,
    `  ${words(detail)}`,
    ...(next ? [`  ${next}`] : []),
    ...(listed ? [`  ${listed}`] : []),
    ...(intake ? [`  Its intake: ${intake.state}.`] : []),
    ...(retryAfterSeconds === null ? [] : [`  Try again in ${retryAfterSeconds} seconds.`]),
    `  request ${requestId}`,
  ]
    .map((line) => line.replace(/(?<=^ *)\S.*/s, withoutControls))
    .join('\n')
}

/** The commands that list what an argument can be, by its name in the contract. */
const listedBy: Readonly<Record<string, string>> = {
  appId: 'rivalscope list-aso-apps lists the apps this account tracks, with their ids.',
  keywordId: 'rivalscope get-aso-workstation APP --json --fields keywords lists its keywords with their ids.',
  storeId: 'rivalscope search-competitors --q NAME finds apps with their App Store ids.',
  rivalStoreId: 'rivalscope search-competitors --q NAME finds apps with their App Store ids.',
  postId: 'rivalscope search-organic-content lists posts with their ids.',
  archiveId: 'rivalscope search-paid-ads lists ads with their platform and archive id.',
  advertiserId: 'rivalscope admin-search-paid-ad-advertisers --q NAME lists advertisers with their ids.',
  categoryId: 'rivalscope list-competitor-categories lists the categories with their ids.',
  runId: 'rivalscope admin-import-paid-ads answers the id of the run it starts.',
}

/** The argument that a "not found" problem is about. */
const wrongArgument: Partial<Record<ProblemCode, keyof typeof listedBy>> = {
  'tracked-app-not-found': 'appId',
  'keyword-not-found': 'keywordId',
  'competitor-not-found': 'storeId',
  'post-not-found': 'postId',
  'paid-ad-not-found': 'archiveId',
  'import-run-not-found': 'runId',
}
