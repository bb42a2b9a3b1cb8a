import { adLabel } from '../../../src/vocabulary/ad-fields.ts'
import { isKnownLayout } from '../../../src/vocabulary/ad-platforms.ts'
import { Fact } from '../../evidence/Fact.tsx'
import { languageName } from '../../evidence/format.ts'
import type { Evidence } from '../../evidence/shapes.ts'
import { Panel } from '../../ui/parts.tsx'
import styles from './ad.module.css'
import { MarkedText } from './MarkedText.tsx'
import { rangesOf } from './quotes.ts'
import { type Part, partInWords, partOf, quotesIn, type Statement } from './reading.ts'
import type { Creative } from './shapes.ts'
import { callToActionText } from './words.ts'

const parts = ['title', 'body', 'description', 'call-to-action'] as const satisfies Part[]

/** What only ads of the App Store have. */
const storeParts = ['locale', 'layout', 'layoutVariant', 'productPageId'] as const

const storePartInWords: Record<(typeof storeParts)[number], (value: string) => string> = {
  locale: languageName,
  layout: (words) => words,
  layoutVariant: (words) => (isKnownLayout(words) ? words : `${words} (unknown)`),
  productPageId: (id) => id,
}

/** What a creative says, unshortened and untranslated, with the quotes of the analysis marked. */
export function Texts({
  creative,
  evidence,
  statements,
  hot,
}: {
  creative: Creative
  evidence: readonly Evidence[]
  statements: readonly Statement[]
  hot: string | undefined
}) {
  const facts = {
    title: creative.title,
    body: creative.body,
    description: creative.description,
    'call-to-action': creative.callToActionText,
  }
  return (
    <Panel title="Text">
      <dl className="stack">
        {parts.map((part) => {
          const text = partOf(creative, part)
          return (
            <div key={part}>
              <dt className="small">{partInWords[part]}</dt>
              <dd>
                {text === undefined ? (
                  <Fact fact={facts[part]} evidence={evidence} format={(value) => value} />
                ) : (
                  <p className={`${styles.said} foreign`} dir="auto" data-part={part}>
                    <MarkedText text={text} ranges={rangesOf(text, quotesIn(statements, part))} hot={hot} />
                  </p>
                )}
              </dd>
            </div>
          )
        })}
        <div>
          <dt className="small">Call to action</dt>
          <dd>
            <Fact fact={creative.callToAction} evidence={evidence} format={callToActionText} />
          </dd>
        </div>
        {storeParts.map((part) => {
          const fact = creative[part]
          if (fact.state === 'not-measured' && fact.reason === 'not-carried') return null
          return (
            <div key={part}>
              <dt className="small">{adLabel(part)}</dt>
              <dd>
                <Fact fact={fact} evidence={evidence} format={storePartInWords[part]} />
              </dd>
            </div>
          )
        })}
        <div>
          <dt className="small">Landing page</dt>
          <dd className="foreign">
            <Fact fact={creative.linkUrl} evidence={evidence} format={(url) => <OutLink url={url} />} />
          </dd>
        </div>
      </dl>
    </Panel>
  )
}

/** An address a stranger wrote, as a link only where it is one of the web. */
export function OutLink({ url, children }: { url: string; children?: string }) {
  return /^https?:\/\//i.test(url) ? (
    <a href={url} target="_blank" rel="noreferrer noopener" className="foreign">
      {children ?? url}
    </a>
  ) : (
    <bdi>{url}</bdi>
  )
}
