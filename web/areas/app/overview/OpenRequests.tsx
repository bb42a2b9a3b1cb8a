import { ago, count } from '../../../evidence/format.ts'
import { dataKindInWords } from '../../../evidence/words.ts'
import { LinkButton } from '../../../ui/Button.tsx'
import { Panel } from '../../../ui/parts.tsx'
import type { AppRecord } from '../app-record.ts'
import { Pair, Pairs } from './Pairs.tsx'

/** What this account asked to have collected, and nobody has yet. */
export function OpenRequests({ record: { storeId, openDataRequests } }: { record: AppRecord }) {
  return (
    <Panel
      title="Open data requests"
      actions={
        <LinkButton small to="/apps/$storeId/requests" params={{ storeId }}>
          {openDataRequests.length > 0 ? 'All requests' : 'Ask for data'}
        </LinkButton>
      }
    >
      {openDataRequests.length === 0 ? (
        <p className="quiet">This account has no open request.</p>
      ) : (
        <Pairs>
          {openDataRequests.map(({ requestId, kind, demand, lastRequestedAt }) => (
            <Pair key={requestId} name={dataKindInWords[kind]}>
              asked {demand === 1 ? 'once' : `${count(demand)} times`}, {ago(lastRequestedAt)}
            </Pair>
          ))}
        </Pairs>
      )}
    </Panel>
  )
}
