import actions from '../../data/calls-to-action.json' with { type: 'json' }
import claimTable from '../../data/claims.json' with { type: 'json' }
import urgency from '../../data/urgency.json' with { type: 'json' }
import { type Phrase, phrasesOf } from '../../text/phrase.ts'

/** Requests in texts, the most specific first. English forms that are also nouns count only at the beginning of a sentence. */
export const callsToAction = phrasesOf(actions)

/** Claims that ads make explicitly about the product; nothing is inferred. */
export const claims = phrasesOf(claimTable)
export type Claim = keyof typeof claimTable.kinds

/** Reasons to act now. */
export const urgencies = phrasesOf(urgency)

const byButton: ReadonlyMap<string, Omit<Phrase, 'pattern'>> = new Map(
  Object.entries(actions.kinds).flatMap(([kind, { says, buttons }]) =>
    buttons.map((code) => [code, { kind, says }] as const),
  ),
)

/** What a button of Meta or TikTok asks for, by its code, lower case with hyphens; undefined for an unknown one. */
export const callToActionOfCode = (code: string): Omit<Phrase, 'pattern'> | undefined => byButton.get(code)
