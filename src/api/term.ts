import { longestTerm, normaliseTerm, type TermRefusal, termRefusalOf } from '../text/keyword-term.ts'
import { refuseInput } from './problem.ts'

/** Messages about terms that cannot be searched for. */
const sayings: Record<TermRefusal, string> = {
  empty: 'holds nothing to search for',
  'no-letters': 'must hold a letter or a digit',
  'too-long': `must have at most ${longestTerm} characters`,
}

/** A term in the form in which its pages are stored. @throws Problem `invalid-request` */
export function searchableTerm(text: string, country: string, pointer: string): string {
  const term = normaliseTerm(text, country)
  const refusal = termRefusalOf(term)
  if (refusal) refuseInput([{ pointer, message: sayings[refusal] }])
  return term
}
