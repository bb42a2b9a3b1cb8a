import { useWrite } from '../../api/operations.ts'
import { useHasScope } from '../../api/session.ts'
import { Absent, Fact, NotMeasured } from '../../evidence/Fact.tsx'
import { count, decimal, languageName, momentText, playTime } from '../../evidence/format.ts'
import { formatInWords } from '../../evidence/words.ts'
import { isUnderWay } from '../../evidence/work.ts'
import { Button } from '../../ui/Button.tsx'
import { customProperties } from '../../ui/css.ts'
import { Quote as QuoteIcon } from '../../ui/icons.ts'
import { Badge, Empty, Panel } from '../../ui/parts.tsx'
import { WorkProgress } from '../../ui/WorkProgress.tsx'
import styles from './ad.module.css'
import { type AdDetail, type AnalysisResult, partInWords, type Quote, type Statement } from './reading.ts'
import { providerInWords } from './words.ts'

/** What was measured and read in an ad: each statement with its quotes. */
export function AnalysisPanel({
  ad,
  statements,
  onHot,
  onQuote,
}: {
  ad: AdDetail
  statements: readonly Statement[]
  /** Called with the statement that is pointed at. */
  onHot: (id: string | undefined) => void
  onQuote: (statement: Statement, quote: Quote) => void
}) {
  const { analysis } = ad
  const result = analysis?.result ?? null
  return (
    <Panel
      title="Analysis"
      note={
        result &&
        `By ${providerInWords(result.readingBy)}, ${momentText(result.madeAt)}. Quoted words are highlighted in the texts.`
      }
      actions={<Analyse ad={ad} />}
    >
      <div className="stack">
        {analysis &&
          (isUnderWay(analysis) || analysis.status === 'failed' || analysis.status === 'partial') && (
            <WorkProgress work={analysis} name="Analysis" />
          )}
        {!analysis && (
          <Empty title="Not analysed yet">
            An analysis finds the hook, offer and claims with quotes, and measures the media and the text.
          </Empty>
        )}
        {result && (
          <>
            <ul className={`${styles.statements} stack gap-0`}>
              {statements.map((statement) => (
                <li
                  key={statement.id}
                  onPointerEnter={() => onHot(statement.id)}
                  onPointerLeave={() => onHot(undefined)}
                  onFocus={() => onHot(statement.id)}
                  onBlur={() => onHot(undefined)}
                >
                  <StatementRow statement={statement} onQuote={(quote) => onQuote(statement, quote)} />
                </li>
              ))}
            </ul>
            <Facts result={result} />
          </>
        )}
      </div>
    </Panel>
  )
}

function StatementRow({ statement, onQuote }: { statement: Statement; onQuote: (quote: Quote) => void }) {
  const { name, about, state, text, reason, kinds, quotes } = statement
  return (
    <>
      <div>
        <h3 className="quiet medium">{name}</h3>
        <p className="quiet tiny">{about}</p>
      </div>
      <div className="stack top gap-1">
        {state === 'absent' && <Absent>none in this ad</Absent>}
        {state === 'not-measured' && reason && <NotMeasured reason={reason} />}
        {text !== undefined && (
          <p className="foreign" dir="auto">
            {text}{' '}
            {kinds.map((kind) => (
              <Badge key={kind}>{kind.replaceAll('-', ' ')}</Badge>
            ))}
          </p>
        )}
        {quotes.map((quote, index) => (
          <button
            // biome-ignore lint/suspicious/noArrayIndexKey: the same words may be quoted twice
            key={index}
            type="button"
            className={`${styles.quote} line wrap baseline rows-1 small`}
            onClick={() => onQuote(quote)}
          >
            <QuoteIcon size={12} aria-hidden="true" />
            <span className="foreign" dir="auto">
              {quote.text}
            </span>
            <span className="quiet">
              {partInWords[quote.foundIn]}
              {quote.startSeconds !== null && `, ${playTime(quote.startSeconds)}`}
            </span>
          </button>
        ))}
      </div>
    </>
  )
}

function Facts({ result: { facts, evidence, factsBy } }: { result: AnalysisResult }) {
  const numbers = [
    ['Scenes', facts.sceneCount],
    ['Words in text', facts.textWords],
    ['Spoken words', facts.spokenWords],
    ['Questions', facts.questionCount],
  ] as const
  return (
    <>
      <h3>
        Measured <span className="regular quiet small">by {providerInWords(factsBy)}</span>
      </h3>
      <dl className="tiles" style={customProperties({ '--tile': '140px' })}>
        <div>
          <dt className="small">Format</dt>
          <dd>
            <Fact
              fact={facts.format}
              evidence={evidence}
              format={(format) => (format in formatInWords ? formatInWords[format as 'video'] : format)}
            />
          </dd>
        </div>
        <div>
          <dt className="small">Duration</dt>
          <dd>
            <Fact fact={facts.durationSeconds} evidence={evidence} format={playTime} />
          </dd>
        </div>
        <div>
          <dt className="small">Dimensions</dt>
          <dd>
            <Fact fact={facts.width} evidence={evidence} format={count} /> ×{' '}
            <Fact fact={facts.height} evidence={evidence} format={count} />
          </dd>
        </div>
        <div>
          <dt className="small">Aspect ratio</dt>
          <dd>
            <Fact fact={facts.aspectRatio} evidence={evidence} format={(ratio) => ratio} />
          </dd>
        </div>
        {numbers.map(([name, fact]) => (
          <div key={name}>
            <dt className="small">{name}</dt>
            <dd>
              <Fact fact={fact} evidence={evidence} format={count} />
            </dd>
          </div>
        ))}
        <div>
          <dt className="small">Reading grade level</dt>
          <dd>
            <Fact fact={facts.readingGrade} evidence={evidence} format={decimal} />
          </dd>
        </div>
        <div>
          <dt className="small">Language</dt>
          <dd>
            <Fact fact={facts.language} evidence={evidence} format={languageName} />
          </dd>
        </div>
        <div>
          <dt className="small">Emoji</dt>
          <dd>
            <Fact fact={facts.emoji} evidence={evidence} format={(emoji) => emoji.join(' ')} />
          </dd>
        </div>
        <div>
          <dt className="small">Colours</dt>
          <dd>
            <Fact
              fact={facts.colours}
              evidence={evidence}
              format={(colours) => (
                <span className="line stretch" style={{ gap: 3, verticalAlign: 'middle' }}>
                  {colours.map((colour) => (
                    <span
                      key={colour}
                      className="box"
                      style={{ background: colour, width: 18, height: 18, borderRadius: 'var(--radius-s)' }}
                      title={colour}
                    >
                      <span className="hidden">{colour}</span>
                    </span>
                  ))}
                </span>
              )}
            />
          </dd>
        </div>
      </dl>
    </>
  )
}

function Analyse({ ad }: { ad: AdDetail }) {
  const mayWrite = useHasScope('content:write')
  const analyse = useWrite('analyze_paid_ad_creative', { changes: ['get_paid_ad'] })
  if (!mayWrite || isUnderWay(ad.analysis)) return null
  const again = ad.analysis !== null
  return (
    <Button
      small
      isPending={analyse.isPending}
      onPress={() => analyse.mutate({ platform: ad.platform, archiveId: ad.archiveId, force: again })}
    >
      {again ? 'Analyse again' : 'Analyse'}
    </Button>
  )
}
