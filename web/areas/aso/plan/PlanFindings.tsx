import type { PlanCoverage, PlannedEdit, WastedText } from '../../../api/listing-drafts.ts'
import { count, countWithNoun, isolateDirection } from '../../../evidence/format.ts'
import { Badge, Panel } from '../../../ui/parts.tsx'
import { fieldInWords } from './listing-text.ts'

/** What each edited text covers and loses in its language. */
export const Edits = ({ edits }: { edits: readonly PlannedEdit[] }) => (
  <Panel title="Effect of each edit" note="Tracked keywords that its language covers">
    {edits.length === 0 ? (
      <p className="quiet">No edits yet</p>
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
            <Terms name="Lost" terms={edit.loses} tone="bad" />
            {edit.covers.length === 0 && edit.loses.length === 0 && (
              <span className="quiet">No tracked keyword won or lost</span>
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
      <Words words={terms} />
    </span>
  )

/** Words one after the other, each in its own direction of writing. */
const Words = ({ words, quiet = false }: { words: readonly string[]; quiet?: boolean }) => (
  <span className={quiet ? 'quiet anywhere' : 'anywhere'}>{words.map(isolateDirection).join(', ')}</span>
)

/** Parts of the planned texts that gain nothing in search. */
export const Wasted = ({ wasted }: { wasted: PlanCoverage['wasted'] }) => (
  <Panel title="Wasted and repeated" note="All languages of this draft">
    {wasted.length === 0 ? (
      <p className="quiet">Nothing wasted or repeated</p>
    ) : (
      <ul className="stack gap-2">
        {wasted.flatMap(({ localization, parts }) =>
          parts.map(({ kind, what, characters, bytes }) => (
            <li key={`${localization} ${kind} ${bytes === null}`} className="row baseline rows-1">
              <Badge>{localization}</Badge>
              <strong>{bytes === null ? 'Repeated in name and subtitle' : wasteInWords[kind]}</strong>
              {bytes !== null && characters !== null && (
                <Badge tone="warn">
                  {characters === bytes
                    ? countWithNoun(characters, 'character')
                    : `${countWithNoun(characters, 'character')}, ${countWithNoun(bytes, 'byte')}`}
                </Badge>
              )}
              <Words words={what} quiet />
            </li>
          )),
        )}
      </ul>
    )}
  </Panel>
)

const wasteInWords: Record<WastedText['kind'], string> = {
  repeated: 'Repeated words',
  spaces: 'Spaces around commas',
  empty: 'Empty entries',
  short: 'Words of one or two letters, not accepted by Apple',
  'stop-word': 'Stop words',
  sign: 'Characters that search ignores',
}

/** Words that several languages say, which the storefront reads together. */
export function Repeated({ repeated }: { repeated: PlanCoverage['repeated'] }) {
  const across = repeated.filter(({ where }) => where === 'several-localizations')
  if (across.length === 0) return null
  return (
    <Panel
      title="Repeated across languages"
      note="A repeat adds nothing by itself, but lets the word combine with the others of that language."
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
