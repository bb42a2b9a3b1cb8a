import type { Readable } from 'node:stream'
import { z } from 'zod'
import type { DraftTexts } from '../domain/aso/listing/draft-coverage.ts'
import { type SearchedField, searchedFields } from '../domain/aso/listing/keyword-coverage.ts'
import {
  type ListingDraft,
  listingDraft,
  listingDraftsOf,
  maxDrafts,
  removeListingDraft,
  saveListingDraft,
} from '../domain/aso/listing/listing-drafts.ts'
import type { Database } from '../storage/database.ts'
import { holdsUnprintable } from '../text/control-characters.ts'
import { isStoreId, isUuid } from '../vocabulary/ids.ts'
import { isStorefront, supportedLocalizations } from '../vocabulary/storefronts.ts'
import { type Caller, expectOwn, expectScope, recordWriteOf, writeOf } from './caller.ts'
import { coverageOfDraft, type DraftCoverageShown } from './draft-coverage.ts'
import { readAt } from './input.ts'
import { Problem, refuseInput, storeFailuresAsProblems } from './problem.ts'

/** A text of one line, as it is typed. */
const line = (most: number, why = '') =>
  z
    .string()
    .max(most, `has more than ${most} characters${why}`)
    .refine(
      (text) => !holdsUnprintable(text),
      'holds control characters, half a letter or too many marks on one',
    )

/** A text for the store, which decides itself what it takes. */
const storeText = (most: number) => line(most, ', twice what the App Store takes').optional()
const Texts = z.record(
  z.string(),
  z.strictObject({ name: storeText(60), subtitle: storeText(60), 'keyword-field': storeText(200) }),
)
const OfApp = {
  storeId: z.string().refine(isStoreId, 'must be an App Store id'),
  country: z.string().refine(isStorefront, 'must be a storefront such as us'),
}
const Asked = z.strictObject(OfApp)
const Saved = z.strictObject({
  ...OfApp,
  name: line(100).trim().min(1, 'must not be empty'),
  texts: Texts,
  /** The one that was seen; null for a new draft. */
  version: z.int().min(1).nullable(),
})
const Removed = z.strictObject({ version: z.coerce.number().int().min(1) })
const Compared = z.strictObject({
  ...OfApp,
  texts: Texts,
  /** Another draft to compare with, in place of the listing as it is. */
  against: z.uuid({ error: 'must be the id of a draft' }).optional(),
})

/** A draft in the form shown to its account. */
export interface DraftShown extends Omit<ListingDraft, 'changedAt'> {
  changedAt: string
}

/** Texts that an account plans for its listings: kept, compared and taken out, for its people at the pages. */
export class ListingDrafts {
  readonly #db: Database
  readonly #folderOf: (texts: DraftTexts, changedAt: Date) => Readable

  /** @param folderOf texts as a zipped folder for the store */
  constructor(db: Database, folderOf: (texts: DraftTexts, changedAt: Date) => Readable) {
    this.#db = db
    this.#folderOf = folderOf
  }

  /**
   * The drafts for an app in a storefront, the one changed last first.
   * @param query `storeId` and `country`
   * @throws Problem `scope-missing`, `invalid-request`
   */
  async list(caller: Caller, query: object): Promise<{ items: DraftShown[]; most: number }> {
    expectScope(caller, 'context:read')
    const asked = readAt('/query', Asked, { ...query })
    const found = await storeFailuresAsProblems(() => listingDraftsOf(this.#db, caller.accountId, asked))
    return { items: found.map(shown), most: maxDrafts }
  }

  /**
   * Stores a draft under an id that the page made. Asked for again, nothing is changed.
   * @throws Problem `scope-missing`, `invalid-request`, `tracked-app-not-found`, `draft-changed` where it has another version than was seen
   */
  async save(caller: Caller, draftId: string, body: unknown): Promise<{ draft: DraftShown; isNew: boolean }> {
    expectScope(caller, 'content:write')
    const { version, ...given } = readAt('/body', Saved, body)
    if (!isUuid(draftId)) refuseInput([{ pointer: '/path/id', message: 'must be a UUID that you made for it' }])
    const draft = { ...given, draftId: draftId.toLowerCase(), texts: plannedTexts(given) }
    return writeOf(this.#db, caller, async (transaction) => {
      const saved = await saveListingDraft(transaction, caller.accountId, draft, version)
      if (!('draft' in saved)) return refuse(saved.outcome)
      const { storeId, country } = draft
      await recordWriteOf(transaction, caller, {
        operation: 'listing draft save',
        input: { draftId: draft.draftId, storeId, country, version: saved.draft.version },
        outcome: saved.outcome === 'changed' ? 'done' : saved.outcome,
      })
      return { draft: shown(saved.draft), isNew: saved.outcome === 'created' }
    })
  }

  /**
   * @param query `version`: the one that was seen
   * @throws Problem `scope-missing`, `invalid-request`, `route-not-found`, `draft-changed`
   */
  async remove(caller: Caller, draftId: string, query: object): Promise<void> {
    expectScope(caller, 'content:write')
    const { version } = readAt('/query', Removed, { ...query })
    await writeOf(this.#db, caller, async (transaction) => {
      const gone = await expectOwn('draft', draftId, (id) =>
        removeListingDraft(transaction, caller.accountId, id, version),
      )
      if (gone === 'newer') throw changedSince()
      await recordWriteOf(transaction, caller, {
        operation: 'listing draft remove',
        input: { draftId },
        outcome: 'removed',
      })
    })
  }

  /**
   * What texts cover beside the listing as it is, or beside a draft. Stores nothing.
   * @throws Problem `scope-missing`, `invalid-request`, `route-not-found` for an unknown draft
   */
  async coverage(caller: Caller, body: unknown): Promise<DraftCoverageShown> {
    expectScope(caller, 'context:read')
    const asked = readAt('/body', Compared, body)
    const planned = plannedTexts(asked)
    const { accountId } = caller
    return storeFailuresAsProblems(async () => {
      const other = asked.against === undefined ? undefined : await this.#draft(accountId, asked.against, asked)
      return coverageOfDraft(this.#db, accountId, asked, planned, other)
    })
  }

  /**
   * A draft as a zipped folder of fastlane, with the texts that it changes.
   * @throws Problem `scope-missing`, `route-not-found`
   */
  async folder(caller: Caller, draftId: string): Promise<Readable> {
    expectScope(caller, 'context:read')
    const { texts, changedAt } = await storeFailuresAsProblems(() => this.#draft(caller.accountId, draftId))
    return this.#folderOf(texts, changedAt)
  }

  /** A draft of an account, of this app in this storefront if one is given. @throws Problem `route-not-found` */
  #draft(
    accountId: string,
    draftId: string,
    app?: { storeId: string; country: string },
  ): Promise<ListingDraft> {
    return expectOwn('draft', draftId, async (id) => {
      const found = await listingDraft(this.#db, accountId, id)
      const isOfOther = app && (found?.storeId !== app.storeId || found.country !== app.country)
      return isOfOther ? undefined : found
    })
  }
}

/** The planned texts in the order of the storefront's localizations. @throws Problem `invalid-request` for another one */
function plannedTexts({
  country,
  texts,
}: {
  country: string
  texts: Readonly<Record<string, Partial<Record<SearchedField, string | undefined>>>>
}): DraftTexts {
  const codes: readonly string[] = supportedLocalizations(country)
  const other = Object.keys(texts).find((code) => !codes.includes(code))
  if (other !== undefined)
    refuseInput([
      {
        pointer: `/body/texts/${other.slice(0, 50).toWellFormed()}`,
        message: `is no localization of this storefront, which has ${codes.join(', ')}`,
      },
    ])
  return Object.fromEntries(
    codes.flatMap((code) => {
      const planned = searchedFields.flatMap((field) => {
        const text = texts[code]?.[field]
        return text === undefined ? [] : [[field, text] as const]
      })
      return planned.length > 0 ? [[code, Object.fromEntries(planned)]] : []
    }),
  )
}

const shown = ({ changedAt, ...draft }: ListingDraft): DraftShown => ({
  ...draft,
  changedAt: changedAt.toISOString(),
})

function refuse(outcome: 'newer' | 'taken' | 'full' | 'not-tracked'): never {
  switch (outcome) {
    case 'newer':
      throw changedSince()
    case 'taken':
      return refuseInput([{ pointer: '/path/id', message: 'was used for something else: make another one' }])
    case 'not-tracked':
      throw new Problem(
        'tracked-app-not-found',
        'Your account does not track this app in this storefront. Nothing was stored.',
      )
    case 'full':
      throw new Problem(
        'invalid-request',
        `An app has at most ${maxDrafts} drafts in a storefront. Nothing was stored: remove one.`,
      )
  }
}

const changedSince = () =>
  new Problem(
    'draft-changed',
    'This draft was changed or removed since you read it, in another tab or by somebody else. Nothing was stored: read it anew, and decide.',
  )
