import type { PlanCoverage, PlannedEdit, WastedText } from '../../../api/listing-drafts.ts'
import { count, countWithNoun } from '../../../evidence/format.ts'
import { Badge, Panel } from '../../../ui/parts.tsx'
import { fieldInWords } from './listing-text.ts'

/** What each edited text covers and loses in its language. */
export const Edits = ({ edits }: { edits: readonly PlannedEdit[] }) => (
  <Panel title="What each edit does" note="By the tracked keywords that its language holds whole">
    {edits.length === 0 ? (
      <p className="quiet">Nothing differs yet.</p>
    ) : (
      <ul className="stack gap-3">
        {edits.map((edit) => (
          <li key={`${edit.localization} ${edit.field}`} className="stack gap-1">
            <strong>
              {edit.localization} {fieldInWords[edit.field]}
            </strong>
            <Terms name="New in one field" terms={coveredBy(edit, 'one-field', true)} tone="good" />
            <Terms name="New across fields" terms={coveredBy(edit, 'across-fields', true)} tone="good" />
            <Terms name="New, likely" terms={coveredBy(edit, 'likely', true)} tone="accent" />
            <Terms
              name="Covered as before"
              terms={edit.covers.filter(({ isNew }) => !isNew).map(({ term }) => term)}
              tone="plain"
            />
            <Terms name="Lost here" terms={edit.loses} tone="bad" />
            {edit.covers.length === 0 && edit.loses.length === 0 && (
              <span className="quiet">No tracked keyword is won or lost by it.</span>
            )}
            {edit.coverCount > edit.covers.length && (
              <span className="quiet">
                {count(edit.covers.length)} of {count(edit.coverCount)} shown
              </span>
            )}
          </li>
        ))}
      </ul>
    )}
  </Panel>
)

const coveredBy = ({ covers }: PlannedEdit, wanted: PlannedEdit['covers'][number]['how'], fresh: boolean) =>
  covers.filter(({ how, isNew }) => how === wanted && isNew === fresh).map(({ term }) => term)

const Terms = ({
  name,
  terms,
  tone,
}: {
  name: string
  terms: readonly string[]
  tone: 'good' | 'accent' | 'plain' | 'bad'
}) =>
  terms.length > 0 && (
    <span className="row baseline rows-1">
      <Badge tone={tone}>{name}</Badge>
      <bdi className="anywhere">{terms.join(', ')}</bdi>
    </span>
  )

/** Parts of the planned texts that gain nothing in search. */
export const Wasted = ({ wasted }: { wasted: PlanCoverage['wasted'] }) => (
  <Panel title="Repeated and wasted" note="In all languages, with the plan">
    {wasted.length === 0 ? (
      <p className="quiet">Nothing is repeated or wasted.</p>
    ) : (
      <ul className="stack gap-2">
        {wasted.flatMap(({ localization, parts }) =>
          parts.map(({ kind, what, characters, bytes }) => (
            <li key={`${localization} ${kind} ${bytes === null}`} className="row baseline rows-1">
              <Badge>{localization}</Badge>
              <strong>{bytes === null ? 'In name and subtitle' : wasteInWords[kind]}</strong>
              {bytes !== null && characters !== null && (
                <Badge tone="warn">
                  {characters === bytes
                    ? countWithNoun(characters, 'character')
                    : `${countWithNoun(characters, 'character')}, ${countWithNoun(bytes, 'byte')}`}
                </Badge>
              )}
              <bdi className="quiet anywhere">{what.join(', ')}</bdi>
            </li>
          )),
        )}
      </ul>
    )}
  </Panel>
)

const wasteInWords: Record<WastedText['kind'], string> = {
  repeated: 'In another text, or twice in the keyword field',
  spaces: 'Spaces beside commas',
  empty: 'Commas without a word',
  short: 'Words of two letters or fewer, which Apple does not take',
  'stop-word': 'Words that nobody searches for by themselves',
  sign: 'Signs that search does not read',
}

/** Words that several languages say, which the storefront reads together. */
export function Repeated({ repeated }: { repeated: PlanCoverage['repeated'] }) {
  const across = repeated.filter(({ where }) => where === 'several-localizations')
  if (across.length === 0) return null
  return (
    <Panel
      title="Said in several languages"
      note="It gains nothing by itself, but lets the word combine with the others there."
    >
      <ul className="stack gap-2">
        {across.map(({ word, places }) => (
          <li key={word} className="row baseline rows-1">
            <strong>
              <bdi>{word}</bdi>
            </strong>
            <span className="quiet">
              {places.map(({ localization, field }) => `${localization} ${fieldInWords[field]}`).join(', ')}
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
