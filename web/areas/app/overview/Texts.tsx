import { Fact } from '../../../evidence/Fact.tsx'
import { LongText } from '../../../ui/LongText.tsx'
import { Panel } from '../../../ui/parts.tsx'
import type { AppRecord } from '../app-record.ts'

/** What the listing says in words. */
export function Texts({
  record: { evidence, subtitle, description, releaseNotes, version },
}: {
  record: AppRecord
}) {
  return (
    <Panel title="Texts">
      <div className="stack">
        <div>
          <h3>Subtitle</h3>
          <Text fact={subtitle} evidence={evidence} name="the subtitle" />
        </div>
        <div>
          <h3>Description</h3>
          <Text fact={description} evidence={evidence} name="the description" />
        </div>
        <div>
          <h3>
            What’s new
            {version.state === 'measured' && (
              <>
                {' in '}
                <bdi>{version.value}</bdi>
              </>
            )}
          </h3>
          <Text fact={releaseNotes} evidence={evidence} name="the release notes" />
        </div>
      </div>
    </Panel>
  )
}

function Text({
  fact,
  evidence,
  name,
}: {
  fact: AppRecord['description']
  evidence: AppRecord['evidence']
  name: string
}) {
  if (fact.state !== 'measured')
    return (
      <p>
        <Fact fact={fact} evidence={evidence} format={String} />
      </p>
    )
  return <LongText key={fact.value} text={fact.value} name={name} />
}
