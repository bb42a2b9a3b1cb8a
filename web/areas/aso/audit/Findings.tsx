import type { ReplyOf } from '../../../api/operations.ts'
import { count, counted } from '../../../evidence/format.ts'
import { Badge, Panel } from '../../../ui/parts.tsx'
import styles from '../aso.module.css'
import type { Waste } from './wasted.ts'

type Advice = ReplyOf<'get_competitor_aso'>['audit']['advice'][number]

/** What in the texts as they are written here wins nothing in search. */
export const Wasted = ({ waste }: { waste: readonly Waste[] }) => (
  <Panel title="Repeated and wasted" note="In the texts above, as they stand">
    {waste.length === 0 ? (
      <p className="quiet">Nothing is repeated or wasted.</p>
    ) : (
      <ul className="stack gap-2">
        {waste.map(({ kind, what, bytes }) => (
          <li key={`${kind} ${bytes === null}`} className="row baseline rows-1">
            <strong>{bytes === null ? 'In name and subtitle' : wasteInWords[kind]}</strong>
            {bytes !== null && <Badge tone="warn">{counted(bytes, 'byte')}</Badge>}
            <span className="quiet">
              <bdi>
                {kind === 'spaces' || kind === 'empty'
                  ? what.length === 1
                    ? 'once'
                    : `${count(what.length)} times`
                  : what.join(', ')}
              </bdi>
            </span>
          </li>
        ))}
      </ul>
    )}
  </Panel>
)

const wasteInWords: Record<Waste['kind'], string> = {
  repeated: 'In another text, or twice in the keyword field',
  spaces: 'Spaces beside commas',
  empty: 'Commas without a word',
  short: 'Words of two letters or fewer, which Apple does not take',
  'stop-word': 'Words that nobody searches for by themselves',
  sign: 'Signs that search does not read',
}

/** What the audit says of the stored listing. */
export const StoredAdvice = ({ advice }: { advice: readonly Advice[] }) => (
  <Panel title="Advice on the stored listing">
    {advice.length === 0 ? (
      <p className="quiet">Nothing to improve was found.</p>
    ) : (
      <ul className={`${styles.advice} stack gap-2`}>
        {advice.map(({ kind, field, weight, text }) => (
          <li key={`${kind} ${field} ${text}`}>
            <Badge tone={weight === 'high' ? 'bad' : weight === 'medium' ? 'warn' : 'plain'}>{weight}</Badge>
            <bdi>{text}</bdi>
          </li>
        ))}
      </ul>
    )}
  </Panel>
)
