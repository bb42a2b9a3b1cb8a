import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useMemo } from 'react'
import { type ReplyOf, read } from '../../api/operations.ts'
import { compactNumber, count, countWithNoun, decimal } from '../../evidence/format.ts'
import type { TrackedAppSummary } from '../../evidence/shapes.ts'
import { reasonInWords } from '../../evidence/words.ts'
import { AppIcon } from '../../ui/AppLink.tsx'
import { Button } from '../../ui/Button.tsx'
import { customProperties } from '../../ui/css.ts'
import { RotateCcw } from '../../ui/icons.ts'
import { Badge, Loaded, Panel, Skeleton, SourceIssues } from '../../ui/parts.tsx'
import { AsoPage } from './AsoHeader.tsx'
import styles from './aso.module.css'
import { useDraft } from './audit/draft.ts'
import { KeywordCoverage } from './audit/KeywordCoverage.tsx'
import type { ListingTexts } from './audit/listing-text.ts'
import { TextEditor } from './audit/TextEditor.tsx'
import { type WastedCharacters, wastedCharactersOf } from './audit/wasted-characters.ts'

type CompetitorAso = ReplyOf<'get_competitor_aso'>
type TextUse = CompetitorAso['audit']['texts'][number]

/** The texts that search reads, as they are stored and as they could be: limits, repetitions, and the keywords they hold. */
export function AuditPage() {
  const { appId } = useParams({ from: '/aso/$appId/audit' })
  return <AsoPage appId={appId}>{(tracked) => <Audit key={appId} tracked={tracked} />}</AsoPage>
}

function Audit({ tracked }: { tracked: TrackedAppSummary }) {
  const { appId, app, country } = tracked
  const listing = useQuery(
    read('get_competitor_aso', { platform: app.platform, storeId: app.storeId, country }),
  )
  return (
    <Loaded
      query={listing}
      skeleton={
        <div className="stack">
          <Skeleton height={420} />
          <Skeleton height={360} />
        </div>
      }
    >
      {(reply) => (
        <>
          <SourceIssues trouble={reply.trouble} />
          <Workbench appId={appId} tracked={tracked} listing={reply} />
        </>
      )}
    </Loaded>
  )
}

function Workbench({
  appId,
  tracked,
  listing,
}: {
  appId: string
  tracked: TrackedAppSummary
  listing: CompetitorAso
}) {
  const { audit, ratings, keywordCoverage } = listing
  const { app, country } = tracked
  const stored = useMemo((): ListingTexts => {
    const text = (field: TextUse['field']) => {
      const use = audit.texts.find((one) => one.field === field)
      return use?.text.state === 'measured' ? use.text.value : ''
    }
    const own = keywordCoverage.localizations[0]?.texts.find(({ field }) => field === 'keyword-field')
    return { name: text('name'), subtitle: text('subtitle'), keywords: own?.text ?? text('keyword-field') }
  }, [audit, keywordCoverage])
  const { texts, change, discard, isChanged } = useDraft(appId, stored)
  const workstation = useQuery(read('get_aso_workstation', { appId, windowDays: 7 }))
  const { language } = audit
  const waste = useMemo(() => wastedCharactersOf(texts, language), [texts, language])
  const figures = {
    rating: ratings.rating.state === 'measured' ? ratings.rating.value : undefined,
    ratingCount: ratings.ratingCount.state === 'measured' ? ratings.ratingCount.value : undefined,
  }
  return (
    <>
      <div className="columns" style={customProperties({ '--columns': 'minmax(0, 1fr) minmax(0, 1fr)' })}>
        <div className="stack gap-4 shrinks">
          <Panel
            title="Texts that search reads"
            note="What you write stays in this browser, and is sent nowhere."
            actions={
              <Button
                small
                icon={<RotateCcw size={13} aria-hidden="true" />}
                isDisabled={!isChanged}
                onPress={discard}
              >
                Back to the stored listing
              </Button>
            }
          >
            <TextEditor
              field="name"
              text={texts.name}
              hint={hintOf(audit, 'name')}
              onChange={(name) => change({ name })}
            />
            <TextEditor
              field="subtitle"
              text={texts.subtitle}
              hint={hintOf(audit, 'subtitle')}
              onChange={(subtitle) => change({ subtitle })}
            />
            <TextEditor
              field="keywords"
              text={texts.keywords}
              hint="Only the owner sees it in App Store Connect. Paste it here: words with commas between them, without spaces."
              onChange={(keywords) => change({ keywords })}
            />
          </Panel>
          <Wasted waste={waste} />
        </div>
        <div className="stack gap-4 shrinks">
          <Panel
            title="In the search results"
            note="At the width of an iPhone. Apple may cut a few letters earlier or later. Below the texts, search shows media of its own, previews or screenshots."
          >
            <StorePreview app={app} texts={texts} figures={figures} />
          </Panel>
          <StoredAdvice advice={audit.advice} />
        </div>
      </div>
      <Loaded query={workstation} skeleton={<Skeleton height={360} />}>
        {({ keywords }) => (
          <KeywordCoverage
            appId={appId}
            country={country}
            keywords={keywords}
            stored={stored}
            texts={texts}
            language={language}
          />
        )}
      </Loaded>
      <p className="quiet">
        Whether a word stands in a text says nothing about the rank.{' '}
        <Link to="/apps/$storeId/listing" params={{ storeId: app.storeId }} search={{ country }}>
          What changed in the listing, and the ranks after
        </Link>
        .
      </p>
    </>
  )
}

/** Why a field begins empty although the listing may have a text. */
function hintOf(audit: CompetitorAso['audit'], field: TextUse['field']): string | undefined {
  const use = audit.texts.find((one) => one.field === field)
  if (use?.text.state === 'not-measured')
    return `Not known of the stored listing. ${reasonInWords[use.text.reason]}`
  if (use?.text.state === 'absent') return 'The stored listing has none.'
  return undefined
}

type Advice = ReplyOf<'get_competitor_aso'>['audit']['advice'][number]

/** Parts of the edited texts that gain nothing in search. */
const Wasted = ({ waste }: { waste: readonly WastedCharacters[] }) => (
  <Panel title="Repeated and wasted" note="In the texts above, as they stand">
    {waste.length === 0 ? (
      <p className="quiet">Nothing is repeated or wasted.</p>
    ) : (
      <ul className="stack gap-2">
        {waste.map(({ kind, what, bytes }) => (
          <li key={`${kind} ${bytes === null}`} className="row baseline rows-1">
            <strong>{bytes === null ? 'In name and subtitle' : wasteInWords[kind]}</strong>
            {bytes !== null && <Badge tone="warn">{countWithNoun(bytes, 'byte')}</Badge>}
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

const wasteInWords: Record<WastedCharacters['kind'], string> = {
  repeated: 'In another text, or twice in the keyword field',
  spaces: 'Spaces beside commas',
  empty: 'Commas without a word',
  short: 'Words of two letters or fewer, which Apple does not take',
  'stop-word': 'Words that nobody searches for by themselves',
  sign: 'Signs that search does not read',
}

/** What the audit says of the stored listing. */
const StoredAdvice = ({ advice }: { advice: readonly Advice[] }) => (
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

/** What the result of a search shows of an app beside its texts. */
interface StoreFigures {
  rating: number | undefined
  ratingCount: number | undefined
}

/** The width of an iPhone, and the sizes of its search results. */
const phone = { gap: 12, width: 393, padding: '16px 20px' }
const subtitle = { fontSize: 13 }

/** The texts as a result of a search on an iPhone, in light and in dark. Longer ones are cut as there, at the width of their letters. */
const StorePreview = ({
  app,
  texts,
  figures,
}: {
  app: TrackedAppSummary['app']
  texts: ListingTexts
  figures: StoreFigures
}) => (
  <div className="row stretch gap-4">
    {(['light', 'dark'] as const).map((theme) => (
      <figure key={theme} className="fits">
        <figcaption className="quiet small" style={{ paddingBottom: 'var(--space-1)' }}>
          {theme === 'light' ? 'Light' : 'Dark'}
        </figcaption>
        <div className="row nowrap box fits ink" style={{ ...phone, colorScheme: theme }}>
          <AppIcon url={app.iconUrl} name={app.name} size={62} />
          <div className="stack gap-0 fills" style={{ lineHeight: 'var(--line-tight)' }}>
            <bdi className="cut medium" style={{ fontSize: 17 }}>
              {texts.name || 'No name'}
            </bdi>
            <bdi className="cut quiet" style={subtitle}>
              {texts.subtitle || 'No subtitle'}
            </bdi>
            <Stars {...figures} />
          </div>
          <span className="bold sunken accent" style={{ padding: '5px 20px', borderRadius: 16 }}>
            Get
          </span>
        </div>
      </figure>
    ))}
  </div>
)

function Stars({ rating, ratingCount }: StoreFigures) {
  if (rating === undefined)
    return (
      <span className="cut quiet" style={subtitle}>
        Rating not measured
      </span>
    )
  const full = Math.round(rating)
  return (
    <span className="row nowrap stretch gap-1 quiet" style={subtitle}>
      <span aria-hidden="true">
        {'★'.repeat(full)}
        {'☆'.repeat(5 - full)}
      </span>
      <span className="hidden">{decimal(rating)} of 5</span>
      {ratingCount !== undefined && <span>{compactNumber(ratingCount)}</span>}
    </span>
  )
}
