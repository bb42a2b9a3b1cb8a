import { Measured, NotMeasured } from '../../../evidence/Fact.tsx'
import { ago } from '../../../evidence/format.ts'
import { isStale, staleRule } from '../../../evidence/freshness.ts'
import { dataKindInWords } from '../../../evidence/words.ts'
import { Badge, Panel } from '../../../ui/parts.tsx'
import type { AppRecord } from '../app-record.ts'
import { Pair, Pairs } from './Pairs.tsx'

/** When each part of the app was last observed. */
export function Freshness({ record: { freshness } }: { record: AppRecord }) {
  return (
    <Panel title="Last looked at">
      <Pairs>
        {freshness.map((part) => (
          <Pair key={part.part} name={dataKindInWords[part.part]}>
            {part.state === 'measured' ? (
              <>
                <Measured evidence={part.evidence} note={staleRule(part.part)}>
                  {ago(part.evidence.observedAt)}
                </Measured>{' '}
                {isStale(part.part, part.evidence.observedAt) && <Badge tone="warn">stale</Badge>}
              </>
            ) : (
              <NotMeasured reason={part.reason} />
            )}
          </Pair>
        ))}
      </Pairs>
    </Panel>
  )
}
