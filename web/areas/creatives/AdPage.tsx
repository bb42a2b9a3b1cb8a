import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { read } from '../../api/operations.ts'
import { adPlatformInWords } from '../../evidence/words.ts'
import { isUnderWay } from '../../evidence/work.ts'
import { Button } from '../../ui/Button.tsx'
import { ExternalLink } from '../../ui/icons.ts'
import { Menu } from '../../ui/overlays.tsx'
import { Loaded, Skeleton } from '../../ui/parts.tsx'
import { AdView, beside } from './AdView.tsx'
import { fileNameOf, saveAsJson, saveCaptions } from './ad-export.ts'
import { CreativesFrame } from './CreativesFrame.tsx'
import { CompareButton } from './PieceTools.tsx'
import type { AdDetail } from './reading.ts'
import type { AdPlatform } from './search.ts'
import { adKey } from './shapes.ts'

const everyMs = 1_500

/** One ad: its media, what it says, what was read in it, and how it was delivered. */
export function AdPage() {
  const { platform, archiveId } = useParams({ from: '/creatives/ads/$platform/$archiveId' })
  const query = useQuery({
    // An address may name any library; the service refuses those there are none of.
    ...read('get_paid_ad', { platform: platform as AdPlatform, archiveId }),
    refetchInterval: ({ state: { data } }) =>
      data && (isUnderWay(data.transcript) || isUnderWay(data.analysis)) ? everyMs : false,
  })
  const ad = query.data
  const name = ad?.advertiser.name
  return (
    <CreativesFrame
      title={name?.state === 'measured' ? name.value : 'Paid ad'}
      subtitle={ad ? `${adPlatformInWords[ad.platform]} ad ${ad.archiveId}` : `Ad ${archiveId}`}
      actions={ad && <Actions ad={ad} />}
    >
      <Loaded
        query={query}
        skeleton={
          <div className="columns" style={beside}>
            <Skeleton height={480} />
            <Skeleton height={640} />
          </div>
        }
      >
        {(loaded) => <AdView key={`${loaded.platform} ${loaded.archiveId}`} ad={loaded} />}
      </Loaded>
    </CreativesFrame>
  )
}

function Actions({ ad }: { ad: AdDetail }) {
  const heard = ad.transcript?.result
  return (
    <>
      <CompareButton piece={adKey(ad)} />
      <Menu
        label="Export"
        trigger={<Button>Export</Button>}
        entries={[
          { id: 'json', name: 'Everything as JSON', onAction: () => saveAsJson(fileNameOf(ad), ad) },
          ...(heard?.outcome === 'available'
            ? [
                {
                  id: 'vtt',
                  name: 'Transcript as captions (VTT)',
                  onAction: () => saveCaptions(fileNameOf(ad), heard),
                },
              ]
            : []),
        ]}
      />
      <a href={ad.libraryUrl} target="_blank" rel="noreferrer noopener" className="row">
        <ExternalLink size={14} aria-hidden="true" /> Ad library
      </a>
    </>
  )
}
