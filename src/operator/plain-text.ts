import { controlCharacterPaths } from '../text/control-characters.ts'
import type { OperatorContext } from './operator-context.ts'

/** Reports which of the operator's texts contains control characters; the texts will be printed, here and elsewhere. */
export function refusesControl(
  terminal: Pick<OperatorContext['terminal'], 'note'>,
  texts: Record<string, string | undefined>,
): boolean {
  const [first] = controlCharacterPaths(texts)
  if (first) terminal.note(`The ${first[0]} holds control characters or half a letter.`)
  return first !== undefined
}
