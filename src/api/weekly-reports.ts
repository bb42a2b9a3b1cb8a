import { z } from 'zod'
import { hasTokenForm } from '../domain/watches/channels.ts'
import {
  maxReportLinks,
  type ReportLink,
  reportLinksOf,
  revokeReportLink,
  sharedReport,
  shareReport,
} from '../domain/watches/report-links.ts'
import { type Database, inTransaction } from '../storage/database.ts'
import { isUuid } from '../vocabulary/ids.ts'
import { isStorefront } from '../vocabulary/storefronts.ts'
import { type Caller, expectScope, recordWriteOf } from './caller.ts'
import { compileBody, readAt } from './input.ts'
import { Problem, refuseInput, storeFailuresAsProblems } from './problem.ts'

/** Which report: of the week that ended last, of all tracked apps, when left out. */
export interface AskedReport {
  /** ISO week, such as `2026-W47`. */
  week?: string | undefined
  country?: string | undefined
}

/** A report as a page of its own. */
export interface ReportPage {
  title: string
  /** HTML without scripts, which loads nothing. */
  page: string
}

/**
 * Makes the weekly report of an account from what is stored.
 * @param linked whether it links to pages of the app
 * @returns a sentence where there is nothing to report on
 */
export type MakeReport = (
  accountId: string,
  asked: AskedReport,
  linked: boolean,
) => Promise<ReportPage | string>

const Week = z.string().regex(/^\d{4}-W(0[1-9]|[1-4]\d|5[0-3])$/, 'must be a week such as 2026-W47')
const Country = z.string().refine(isStorefront, 'must be a storefront such as us')
const ReportQuery = z.strictObject({ week: Week.optional(), country: Country.optional() })
const readShare = compileBody(
  z.strictObject({
    /** Chosen by who asks: asked for again, nothing is made twice. */
    linkId: z.uuid({ error: 'must be a UUID that you made for it' }),
    week: Week.optional(),
    country: Country.optional(),
    days: z.int().min(1).max(90).default(30),
  }),
)

/** A link in the form shown to its account: without its token. */
export interface ReportLinkShown {
  linkId: string
  title: string
  createdAt: string
  expiresAt: string
}

/** The weekly report of an account at the pages, and links to it for people without an account. */
export class WeeklyReports {
  readonly #db: Database
  readonly #make: MakeReport
  /** Reports that are being made: asked for again meanwhile, one is made. */
  readonly #making = new Map<string, Promise<ReportPage | string>>()

  constructor(db: Database, make: MakeReport) {
    this.#db = db
    this.#make = make
  }

  /** @throws Problem `scope-missing`, `invalid-request` also where there is nothing to report on */
  async page(caller: Caller, query: object): Promise<ReportPage> {
    expectScope(caller, 'context:read')
    return this.#made(caller.accountId, readAt('/query', ReportQuery, { ...query }), true)
  }

  /** Links that lead somewhere, newest first. @throws Problem `scope-missing` */
  async links(caller: Caller): Promise<ReportLinkShown[]> {
    expectScope(caller, 'context:read')
    return (await storeFailuresAsProblems(() => reportLinksOf(this.#db, caller.accountId))).map(shown)
  }

  /**
   * Keeps a report as it is now, for whoever has the link.
   * @returns the link with its path, which is in this answer alone
   * @throws Problem `scope-missing`, `invalid-request`
   */
  async share(caller: Caller, body: unknown): Promise<ReportLinkShown & { path: string }> {
    expectScope(caller, 'content:write')
    const { linkId, days, ...asked } = readShare(body)
    const report = await this.#made(caller.accountId, asked, false)
    return storeFailuresAsProblems(() =>
      inTransaction(this.#db, async (transaction) => {
        const made = await shareReport(transaction, caller.accountId, { linkId, days, ...report })
        if (made === 'known')
          refuseInput([
            {
              pointer: '/body/linkId',
              message: 'was used before: its address was told once. Revoke that link, and make another',
            },
          ])
        if (made === 'full')
          throw new Problem(
            'invalid-request',
            `An account shares at most ${maxReportLinks} reports at a time. Nothing was shared: revoke some.`,
          )
        await recordWriteOf(transaction, caller, {
          operation: 'report share',
          input: { linkId, days, ...asked },
          outcome: 'created',
        })
        return { ...shown(made), path: `/shared/${made.token}` }
      }),
    )
  }

  /** @throws Problem `scope-missing`, `route-not-found` */
  async revoke(caller: Caller, linkId: string): Promise<void> {
    expectScope(caller, 'content:write')
    await storeFailuresAsProblems(() =>
      inTransaction(this.#db, async (transaction) => {
        if (!isUuid(linkId) || !(await revokeReportLink(transaction, caller.accountId, linkId)))
          throw new Problem('route-not-found', 'Your account has no such link. It may have expired.')
        await recordWriteOf(transaction, caller, {
          operation: 'report unshare',
          input: { linkId },
          outcome: 'removed',
        })
      }),
    )
  }

  /** The report of a token; undefined for an invalid, unknown, revoked or expired one. */
  shared(token: string): Promise<{ linkId: string; page: string } | undefined> {
    return hasTokenForm(token)
      ? storeFailuresAsProblems(() => sharedReport(this.#db, token))
      : Promise.resolve(undefined)
  }

  async #made(accountId: string, asked: AskedReport, linked: boolean): Promise<ReportPage> {
    const key = JSON.stringify([accountId, asked.week, asked.country, linked])
    const making =
      this.#making.get(key) ?? this.#make(accountId, asked, linked).finally(() => this.#making.delete(key))
    this.#making.set(key, making)
    const made = await storeFailuresAsProblems(() => making)
    if (typeof made === 'string') throw new Problem('invalid-request', made)
    return made
  }
}

const shown = ({ linkId, title, createdAt, expiresAt }: ReportLink): ReportLinkShown => ({
  linkId,
  title,
  createdAt: createdAt.toISOString(),
  expiresAt: expiresAt.toISOString(),
})
