import { Fact, NotMeasured } from '../../../evidence/Fact.tsx'
import { bytes, count, dayText, decimal, languageName, momentText, money } from '../../../evidence/format.ts'
import { Panel } from '../../../ui/parts.tsx'
import type { AppRecord } from '../app-of-page.ts'
import { compactCount, webAddress } from '../words.ts'
import { Pair, Pairs } from './Pairs.tsx'

/** What the record says besides: who sells the app, its price, size, languages and ids. */
export function About({ record }: { record: AppRecord }) {
  const { evidence } = record
  return (
    <Panel title="About">
      <Pairs>
        <Pair name="Seller">
          <Fact fact={record.seller} evidence={evidence} format={foreign} />
        </Pair>
        <Pair name="Website">
          <Fact fact={record.sellerUrl} evidence={evidence} format={website} />
        </Pair>
        <Pair name="Price">
          <Fact fact={record.price} evidence={evidence} format={money} />
        </Pair>
        <Pair name="Categories">
          <Fact
            fact={record.categories}
            evidence={evidence}
            format={(categories) => categories.map(({ name }) => name).join(', ')}
          />
        </Pair>
        <Pair name="Released">
          <Fact fact={record.releasedAt} evidence={evidence} format={dayText} />
        </Pair>
        <Pair name="Latest version released">
          <Fact fact={record.updatedAt} evidence={evidence} format={dayText} />
        </Pair>
        <Pair name="Rating, current version">
          <Fact fact={record.ratingCurrentVersion} evidence={evidence} format={decimal} /> (
          <Fact fact={record.ratingCountCurrentVersion} evidence={evidence} format={compactCount} />)
        </Pair>
        <Pair name="Size">
          {record.sizeBytes.state === 'not-measured' && record.sizeShown.state === 'measured' ? (
            <Fact fact={record.sizeShown} evidence={evidence} format={foreign} />
          ) : (
            <Fact fact={record.sizeBytes} evidence={evidence} format={bytes} />
          )}
        </Pair>
        <Pair name="Languages">
          {record.languages.state === 'not-measured' && record.languagesShown.state === 'measured' ? (
            <Fact fact={record.languagesShown} evidence={evidence} format={foreign} />
          ) : (
            <Fact
              fact={record.languages}
              evidence={evidence}
              format={(tags) => `${count(tags.length)}: ${tags.map(languageName).sort().join(', ')}`}
            />
          )}
        </Pair>
        <Pair name="Minimum iOS">
          <Fact fact={record.minimumOsVersion} evidence={evidence} format={String} />
        </Pair>
        <Pair name="Age rating">
          <Fact fact={record.contentRating} evidence={evidence} format={String} />
        </Pair>
        <Pair name="Bundle ID">
          <Fact fact={record.bundleId} evidence={evidence} format={foreign} />
        </Pair>
        <Pair name="App Store ID">{record.storeId}</Pair>
        <Pair name="Copyright">
          <Fact fact={record.copyright} evidence={evidence} format={foreign} />
        </Pair>
        <Pair name="First collected">
          {record.firstObservedAt ? (
            momentText(record.firstObservedAt)
          ) : (
            <NotMeasured reason="never-collected" />
          )}
        </Pair>
      </Pairs>
    </Panel>
  )
}

const foreign = (text: string) => <bdi>{text}</bdi>

/** Its host as a link; as it stands where it is no address of the web. */
function website(address: string) {
  const site = webAddress(address)
  if (!site) return <bdi>{address}</bdi>
  return (
    <a href={site} target="_blank" rel="noreferrer noopener">
      <bdi>{new URL(site).hostname}</bdi>
    </a>
  )
}
