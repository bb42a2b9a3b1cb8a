import { Fragment } from 'react'
import type { ReplyOf } from '../../api/operations.ts'
import { Fact } from '../../evidence/Fact.tsx'
import { count, languageName } from '../../evidence/format.ts'
import type { Evidence } from '../../evidence/shapes.ts'
import { customProperties } from '../../ui/css.ts'
import { Badge, Panel } from '../../ui/parts.tsx'
import styles from './app.module.css'
import { RequestData } from './RequestData.tsx'

type Audit = ReplyOf<'get_competitor_aso'>['audit']
type TextUse = Audit['texts'][number]
type Advice = Audit['advice'][number]

const textInWords = {
  name: 'Name',
  subtitle: 'Subtitle',
  'keyword-field': 'Keyword field',
  'promotional-text': 'Promotional text',
  description: 'Description',
  'release-notes': 'What’s New',
} as const satisfies Record<TextUse['field'], string>

const weightInWords = { high: 'High', medium: 'Medium', low: 'Low' } as const satisfies Record<
  Advice['weight'],
  string
>

/** What each text of the listing uses of its limit, the terms it holds, and what could be better. */
export function ListingAudit({ audit, evidence }: { audit: Audit; evidence: readonly Evidence[] }) {
  const { language, texts, advice } = audit
  const isUnread = advice.some(({ kind }) => kind === 'not-readable')
  return (
    <Panel
      title="Listing audit"
      note={language === null ? 'Language not detected' : `Language: ${languageName(language)}`}
      actions={isUnread && <RequestData kinds={['record', 'aso']} />}
    >
      <div className="columns gap-5" style={customProperties({ '--columns': 'minmax(0, 3fr) minmax(0, 2fr)' })}>
        <ul className="stack gap-4 shrinks">
          {texts.map((use) => (
            <Text key={use.field} use={use} evidence={evidence} />
          ))}
        </ul>
        <div>
          <h3>Recommendations</h3>
          {advice.length === 0 ? (
            <p className="quiet">No recommendations for the texts collected.</p>
          ) : (
            <ul className={`${styles.advice} stack spaced small`}>
              {advice.map(({ kind, field, weight, text }) => (
                <li key={`${kind} ${field} ${text}`}>
                  <Badge tone={weight === 'high' ? 'bad' : weight === 'medium' ? 'warn' : 'plain'}>
                    {weightInWords[weight]}
                  </Badge>
                  <p className="foreign">{text}</p>
                </li>
              ))}
            </ul>
          )}
        </div>
      </div>
    </Panel>
  )
}

const mostTerms = 12

function Text({ use, evidence }: { use: TextUse; evidence: readonly Evidence[] }) {
  const { field, text, characters, limit, limits, searched, terms } = use
  return (
    <li className="stack gap-2 shrinks">
      <div className="row baseline rows-1">
        <h3>{textInWords[field]}</h3>
        <Badge tone={searched ? 'accent' : 'plain'}>{searched ? 'Indexed for search' : 'Not indexed'}</Badge>
        <span className="pushed small">
          <Fact fact={characters} evidence={evidence} format={count} /> of{' '}
          {limits.map(({ most, unit, standing, source }, index) => (
            <Fragment key={unit}>
              {index > 0 && ', '}
              <a
                href={source}
                style={{ textDecoration: 'underline' }}
                target="_blank"
                rel="noreferrer noopener"
              >
                {count(most)} {unit}
              </a>
              {limits.length > 1 && (standing === 'sure' ? ' (confirmed)' : ' (reported)')}
            </Fragment>
          ))}
        </span>
      </div>
      {characters.state === 'measured' && (
        <meter
          min={0}
          max={limit}
          value={characters.value}
          aria-label={`${textInWords[field]}: ${count(characters.value)} of ${count(limit)} characters used`}
        />
      )}
      {text.state === 'measured' && (
        <p className="anywhere clamp" dir="auto">
          {text.value}
        </p>
      )}
      {terms.length > 0 && (
        <ul className="row stretch gap-1 small" aria-label={`${textInWords[field]}: keywords`}>
          {terms.slice(0, mostTerms).map(({ term, count: times }) => (
            <li key={term}>
              <Badge>
                <bdi>{term}</bdi>
                {times > 1 && ` ×${count(times)}`}
              </Badge>
            </li>
          ))}
          {terms.length > mostTerms && <li className="quiet">and {count(terms.length - mostTerms)} more</li>}
        </ul>
      )}
    </li>
  )
}
