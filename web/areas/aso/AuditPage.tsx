import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useMemo } from 'react'
import { type ReplyOf, read } from '../../api/operations.ts'
import type { TrackedAppSummary } from '../../evidence/shapes.ts'
import { reasonInWords } from '../../evidence/words.ts'
import { Button } from '../../ui/Button.tsx'
import { css } from '../../ui/css.ts'
import { RotateCcw } from '../../ui/icons.ts'
import { Loaded, Panel, Skeleton, Troubles } from '../../ui/parts.tsx'
import { AsoPage } from './AsoHeader.tsx'
import { Covered } from './audit/Covered.tsx'
import { useDraft } from './audit/draft.ts'
import { StoredAdvice, Wasted } from './audit/Findings.tsx'
import type { ListingTexts } from './audit/listing-text.ts'
import { StorePreview } from './audit/StorePreview.tsx'
import { TextEditor } from './audit/TextEditor.tsx'
import { wasteOf } from './audit/wasted.ts'

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
          <Troubles trouble={reply.trouble} />
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
  const { audit, ratings } = listing
  const { app, country } = tracked
  const stored = useMemo((): ListingTexts => {
    const text = (field: TextUse['field']) => {
      const use = audit.texts.find((one) => one.field === field)
      return use?.text.state === 'measured' ? use.text.value : ''
    }
    return { name: text('name'), subtitle: text('subtitle'), keywords: text('keyword-field') }
  }, [audit])
  const { texts, change, discard, isChanged } = useDraft(appId, stored)
  const workstation = useQuery(read('get_aso_workstation', { appId, windowDays: 7 }))
  const { language } = audit
  const waste = useMemo(() => wasteOf(texts, language), [texts, language])
  const figures = {
    rating: ratings.rating.state === 'measured' ? ratings.rating.value : undefined,
    ratingCount: ratings.ratingCount.state === 'measured' ? ratings.ratingCount.value : undefined,
  }
  return (
    <>
      <div className="columns" style={css({ '--columns': 'minmax(0, 1fr) minmax(0, 1fr)' })}>
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
            note="At the width of an iPhone. Apple may cut a few letters earlier or later."
          >
            <StorePreview app={app} texts={texts} figures={figures} />
          </Panel>
          <StoredAdvice advice={audit.advice} />
        </div>
      </div>
      <Loaded query={workstation} skeleton={<Skeleton height={360} />}>
        {({ keywords }) => (
          <Covered
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
