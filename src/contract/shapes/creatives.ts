import { z } from 'zod'
import { mediumKinds } from '../../vocabulary/creatives.ts'
import { AppLabel } from './apps.ts'
import { BroughtBy } from './evidence.ts'
import { CountFact, fact, NumberFact } from './facts.ts'
import { Language, NamedUuid, Note, Tags, Timestamp, Url } from './primitives.ts'

/** Shared by posts and ads: their media, the apps they belong to, and being saved. */

export const LanguageTagFact = fact('LanguageTag', Language, 'A language.')

export const KeptStatus = z
  .enum(['stored', 'pending', 'removed-upstream', 'text-only', 'failed', 'not-kept'])
  .meta({
    id: 'KeptStatus',
    description:
      'Whether this installation holds its own copy. `stored`: it does. `pending`: the copy is queued or under way. `removed-upstream`: gone at the source before a copy was made. `text-only`: the source shows that there is no media. `failed`: the copy was refused or broke off. `not-kept`: this account asked for no copy, this installation is set not to make it, the source gives no address to copy from, or a copy was kept for a time and removed since (`reason` says so).',
  })

export const KeptCopy = z
  .discriminatedUnion('status', [
    z
      .object({
        status: z.literal('stored'),
        url: z
          .string()
          .describe(
            'Address of the copy on this installation, such as `/media/<sha256>`. It needs no credentials and stays the same.',
          ),
        contentType: z.string().describe('Media type, decided by the content.'),
        sizeBytes: z.int().min(1),
        sha256: z.string().length(64).describe('Hash of the content in hexadecimal.'),
        storedAt: Timestamp,
      })
      .meta({ id: 'StoredCopy', description: 'A copy this installation holds.' }),
    z
      .object({
        status: KeptStatus.exclude(['stored', 'text-only']),
        reason: z.string().nullable().describe('In words; null while pending.'),
        checkedAt: Timestamp.nullable().describe('The last attempt; null when there was none.'),
      })
      .meta({ id: 'MissingCopy', description: 'Why this installation holds no copy.' }),
  ])
  .meta({
    id: 'KeptCopy',
    description: "This installation's own copy of one media item, or why there is none.",
  })

export const CreativeMedia = z
  .object({
    mediaId: NamedUuid,
    kind: z.enum(mediumKinds).describe('`thumbnail`: the still picture of a video.'),
    position: z.int().min(1).describe('Place in the creative, 1 is first.'),
    sourceUrl: Url.nullable().describe(
      'Address at the network as last observed; such addresses often expire. Null when the source gave none.',
    ),
    width: CountFact.describe('Pixels.'),
    height: CountFact.describe('Pixels.'),
    durationSeconds: NumberFact.describe('Length of a video; not measured for pictures.'),
    kept: KeptCopy,
  })
  .meta({ id: 'CreativeMedia', description: 'A picture or video of a post or an ad.' })

/** The media of one creative and the status of their copies. */
export const creativeMedia = {
  mediaStatus: z
    .object({
      status: KeptStatus,
      reason: z.string().nullable().describe('In words; null when the status says all.'),
    })
    .describe(
      'Of all media of this creative together: `stored` when every item is, else the first that applies of failed, removed-upstream, pending, not-kept. With no items it tells `text-only` from media that could not be seen.',
    ),
  media: z.array(CreativeMedia).describe('By position. When empty, `mediaStatus` says why.'),
}

const LinkGround = z
  .object({
    kind: z
      .enum([
        'store-url',
        'known-handle',
        'landing-url',
        'named-app',
        'declared-handle',
        'advertiser-link',
        'manual',
      ])
      .describe(
        '`store-url`: an App Store address in a text or profile. `known-handle`: posted by, or mentions, an account known to belong to the app. `landing-url`: the address the ad leads to is an App Store page. `named-app`: the ad library names the app by its App Store id. `declared-handle`: posted by, or mentions, an account that the operator declared to be the app’s. `advertiser-link`: its advertiser was linked by hand. `manual`: this very creative was linked by hand.',
      ),
    text: z
      .string()
      .describe('What the link rests on, as found: the address, the handle, the advertiser or the note.'),
    foundIn: z
      .enum(['text', 'profile', 'author', 'link', 'record', 'advertiser', 'decision'])
      .describe(
        'Where that text stands; `record` is what the library says of the ad itself, `decision` what a person entered.',
      ),
    evidence: z
      .int()
      .min(0)
      .nullable()
      .describe('Index into the nearest `evidence` list; null for a decision made here.'),
    decidedAt: Timestamp.optional().describe(
      'When the operator of this installation decided so; only on what the operator decided about posts and their accounts.',
    ),
    broughtBy: BroughtBy.optional(),
  })
  .meta({ id: 'LinkGround', description: 'One reason to hold that a creative belongs to an app.' })

export const CreativeLink = z
  .object({
    app: AppLabel,
    grounds: z
      .array(LinkGround)
      .min(1)
      .describe(
        'Strongest first: manual, advertiser-link, declared-handle, named-app, landing-url, store-url, known-handle. Never a name alone.',
      ),
    linkedAt: Timestamp.describe('When the first of these grounds was recorded.'),
  })
  .meta({ id: 'CreativeLink', description: 'An app a creative belongs to, with the grounds for it.' })

export const creativeLinks = z
  .array(CreativeLink)
  .describe('Linked apps, oldest link first; empty when none is known. Links a person has undone are left out.')

export const SavedMark = z
  .object({
    savedAt: Timestamp.describe('When it was first saved; saving again leaves it.'),
    note: Note.nullable().describe('Null when there is none.'),
    tags: Tags.describe('In the order given, each once; empty when there are none.'),
  })
  .meta({ id: 'SavedMark', description: 'What this account wrote when it saved a creative.' })

export const savedByCaller = SavedMark.nullable().describe(
  'Null when this account has not saved it. Other accounts never see it.',
)

/** Body of both save operations. */
export const SaveBody = z.strictObject({
  note: Note.nullable()
    .optional()
    .describe('Replaces the note; null clears it; left out, an earlier note stays.'),
  tags: Tags.optional().describe('Replaces all tags; an empty list clears them; left out, earlier tags stay.'),
})
