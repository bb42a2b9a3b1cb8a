import { isPageInDoubt } from '../../domain/aso/pages/page-verdicts.ts'
import {
  clearHintFailure,
  clearSearchFailure,
  recordHintFailure,
  recordSearchFailure,
} from '../../domain/aso/pages/search-failures.ts'
import type { TermFailure, TermName } from '../../domain/aso/pages/term-queries.ts'
import {
  type CheckedApps,
  clearCheckFailures,
  recordCheckFailures,
  recordChecks,
} from '../../domain/collecting/attempts.ts'
import { recordFailure, recordSuccess } from '../../domain/collecting/health.ts'
import type { AppInLanguage } from '../../domain/collecting/localization-checks.ts'
import { chartSubject, isSuspect, termSubject } from '../../domain/collecting/suspects.ts'
import type { ParsedPayload } from '../../ingest/parsed-payload.ts'
import { isAnswerFaulty, SourceFailure } from '../../sources/polite/failure.ts'
import type { Database } from '../../storage/database.ts'
import {
  type AppleClients,
  chartQuestion,
  hintsQuestion,
  lookupQuestion,
  missingPageQuestion,
  mostResults,
  pageQuestion,
  searchPageQuestion,
  searchQuestion,
} from '../../suppliers/apple/clients.ts'
import { unreadableOf } from '../../suppliers/apple/itunes.ts'
import type { CollectedPayload, Question } from '../../suppliers/collected-payload.ts'
import { parsePayload, unfitPayload } from '../../suppliers/formats.ts'
import type { ParsedInput } from '../../suppliers/parsed-input.ts'
import { normaliseTerm } from '../../text/keyword-term.ts'
import type { ChartIdentity } from '../../vocabulary/chart-identity.ts'
import type { SourceName } from '../../vocabulary/provenance.ts'
import type { SearchSurface } from '../../vocabulary/search-surfaces.ts'
import type { LocalizationCode } from '../../vocabulary/storefronts.ts'
import type { IngestBatcher } from './ingest-batcher.ts'
import { isFailedAnswer, isSuspectOutcome, type Outcome, SuspectAnswer } from './outcome.ts'

export interface CollectorParts {
  db: Database
  clients: AppleClients
  batcher: IngestBatcher
}

/** The outcomes of any answer; only result pages can also be `suspect-short`. */
type AnswerOutcome = Exclude<Outcome, 'suspect-short'>

/** A question to an upstream, for the stored reading and the health record. */
interface Asked extends Question {
  source: SourceName
  /** The subject in the message of a suspect answer; none where an empty answer is valid. */
  subject?: string
}

/**
 * Asks Apple and stores what it answers, with the health of the source. Every method asks once (the client may try
 * several times), throws SourceFailure when there is no answer, and may be called again without harm.
 */
export class Collector {
  readonly #db: Database
  readonly #clients: AppleClients
  readonly #batcher: IngestBatcher

  constructor({ db, clients, batcher }: CollectorParts) {
    this.#db = db
    this.#clients = clients
    this.#batcher = batcher
  }

  async chart(identity: ChartIdentity, signal: AbortSignal): Promise<AnswerOutcome> {
    const subject = chartSubject(identity)
    const asked: Asked = { source: 'apple-rss-legacy', subject, ...chartQuestion(identity) }
    return (await this.#ask(asked, () => this.#clients.chart(identity, signal), signal)).outcome
  }

  /** Looks up at most `lookupBatch` apps. Apps the storefront does not have are missing from the result. */
  async lookup(storeIds: readonly string[], country: string, signal: AbortSignal): Promise<CollectedPayload> {
    const call = () => this.#clients.lookup(storeIds, country, signal)
    const { answer } = await checkApps(this.#db, { kind: 'lookup', country, storeIds }, () =>
      this.#ask(lookupIn(country, storeIds), call, signal),
    )
    for (const { storeId, reason: message } of unreadableOf(answer.value, storeIds)) {
      const apps = { kind: 'lookup', country, storeIds: [storeId] } as const
      await recordCheckFailures(this.#db, apps, { at: answer.fetchedAt, code: 'unexpected-shape', message })
    }
    await recordChecks(this.#db, 'lookup', country, storeIds, answer.fetchedAt)
    return answer
  }

  async lookupBundle(bundleId: string, country: string, signal: AbortSignal): Promise<CollectedPayload> {
    const asked = lookupIn(country)
    return (await this.#ask(asked, () => this.#clients.lookupBundle(bundleId, country, signal), signal)).answer
  }

  /** The result page of a term, to the depth Apple serves. */
  async search(text: string, country: string, signal: AbortSignal): Promise<Outcome> {
    const term = normaliseTerm(text, country)
    const question = searchQuestion(term, country, mostResults)
    return this.#results('itunes-search', term, question, signal, () =>
      this.#clients.search({ term, country, limit: mostResults }, signal),
    )
  }

  /** The search page of the store's web site for a term. */
  async searchPage(text: string, country: string, signal: AbortSignal): Promise<Outcome> {
    const term = normaliseTerm(text, country)
    return this.#results('app-store-search', term, searchPageQuestion(term, country), signal, () =>
      this.#clients.searchPage(term, country, signal),
    )
  }

  #results(
    surface: SearchSurface,
    term: string,
    question: Question,
    signal: AbortSignal,
    call: () => Promise<CollectedPayload>,
  ): Promise<Outcome> {
    const name = { country: question.country, term, surface }
    const asked: Asked = { source: surface, subject: termSubject(term, surface), ...question }
    return askAbout(this.#db, name, searchFailures, async () => {
      const { answer, outcome } = await this.#ask(asked, call, signal)
      const isShort = outcome === 'stored' && (await isPageInDoubt(this.#db, name, answer.fetchedAt))
      return { outcome: isShort ? 'suspect-short' : outcome }
    })
  }

  /** Apple's suggestions for this typed text. */
  async hints(text: string, country: string, signal: AbortSignal): Promise<Outcome> {
    const term = normaliseTerm(text, country)
    const subject = termSubject(term, 'apple-search-hints')
    const asked: Asked = { source: 'apple-search-hints', subject, ...hintsQuestion(term, country) }
    const call = () => this.#clients.hints(term, country, signal)
    return askAbout(this.#db, { country, term }, hintFailures, () => this.#ask(asked, call, signal))
  }

  /**
   * The page of an app; one the storefront does not have is `empty`. An unreadable page counts as checked: an immediate
   * retry would return the same page.
   */
  async page(storeId: string, country: string, signal: AbortSignal): Promise<Outcome> {
    const asked: Asked = { source: 'app-store-page', ...pageQuestion(storeId, country) }
    const call = () => this.#clients.page(storeId, country, signal)
    const outcome = await checkApps(this.#db, { kind: 'page', country, storeIds: [storeId] }, () =>
      this.#ask(asked, call, signal),
    ).then(
      (asking) => asking.outcome,
      async (error: unknown) => {
        if (error instanceof SourceFailure && error.kind === 'not-found') return 'empty' as const
        if (error instanceof SourceFailure && isAnswerFaulty(error))
          await recordChecks(this.#db, 'page', country, [storeId], new Date())
        throw error
      },
    )
    await recordChecks(this.#db, 'page', country, [storeId], new Date())
    return outcome
  }

  /**
   * The page of an app in another language than the storefront's own; one the storefront does not have is `empty`. What is known of the
   * app's own page, and whether it could be read, stays as it is.
   */
  async localizedPage({ storeId, country, language }: AppInLanguage, signal: AbortSignal): Promise<Outcome> {
    const asked: Asked = { source: 'app-store-page', ...pageQuestion(storeId, country, language) }
    const call = () => this.#clients.page(storeId, country, signal, language)
    return this.#ask(asked, call, signal).then(
      (asking) => asking.outcome,
      (error: unknown) => {
        if (error instanceof SourceFailure && error.kind === 'not-found') return 'empty'
        throw error
      },
    )
  }

  /** At most `lookupBatch` apps in another language than the storefront's own. */
  async localizedLookup(
    storeIds: readonly string[],
    country: string,
    language: LocalizationCode,
    signal: AbortSignal,
  ): Promise<CollectedPayload> {
    const asked: Asked = { source: 'itunes-lookup', ...lookupQuestion(country, { language }) }
    const call = () => this.#clients.lookup(storeIds, country, signal, language)
    return (await this.#ask(asked, call, signal)).answer
  }

  async #ask(
    asked: Asked,
    call: () => Promise<CollectedPayload>,
    signal: AbortSignal,
  ): Promise<{ answer: CollectedPayload; outcome: AnswerOutcome }> {
    const { country, subject } = asked
    const answer = await call().catch(async (error: unknown) => {
      if (error instanceof SourceFailure) await this.#failed(asked, error, signal)
      throw error
    })
    await this.#batcher.store(reading(answer, answer.bytes, answer.fetchedAt, answer.value), signal)
    await recordSuccess(this.#db, answer.source, country, answer.fetchedAt)
    if (!answer.empty) return { answer, outcome: 'stored' }
    const suspect = subject !== undefined && (await isSuspect(this.#db, country, subject, answer.fetchedAt))
    return { answer, outcome: suspect ? 'suspect-empty' : 'empty' }
  }

  /** An unreadable answer is stored too: a fixed parser can read it in a replay. */
  async #failed(asked: Asked, failure: SourceFailure, signal: AbortSignal): Promise<void> {
    const { kind, message, bytes } = failure
    const at = new Date()
    const source = failure.upstream === 'apple-rss' ? 'apple-rss-v2' : asked.source
    // `not-found` is a valid answer, and an open circuit sent no request.
    if (kind === 'not-found') {
      const { storeId, language } = asked.context
      if (bytes && storeId !== undefined && language === undefined) {
        const question = missingPageQuestion(storeId, asked.country)
        const parsed = parsePayload(question.format, bytes, question.context)
        await this.#batcher.store(reading(question, bytes, at, parsed), signal)
      }
      return recordSuccess(this.#db, source, asked.country, at)
    }
    if (kind === 'circuit-open') return
    await recordFailure(this.#db, source, asked.country, { at, kind, message })
    if (bytes) await this.#batcher.store(reading(asked, bytes, at, unfitPayload(source, message)), signal)
  }
}

const lookupIn = (country: string, storeIds?: readonly string[]): Asked => ({
  source: 'itunes-lookup',
  ...lookupQuestion(country, storeIds ? { storeIds } : {}),
})

function reading(
  { format, country, context }: Question,
  bytes: Uint8Array,
  observedAt: Date,
  parsed: ParsedPayload,
): ParsedInput {
  return { bytes, format, context, origin: 'collected', country, observedAt, timeBasis: 'clock', parsed }
}

/** Where the reason of a failed request about a term is stored. */
interface FailureRecords {
  record: (db: Database, name: TermName, failure: TermFailure) => Promise<void>
  clear: (db: Database, name: TermName) => Promise<void>
}

const searchFailures: FailureRecords = { record: recordSearchFailure, clear: clearSearchFailure }
const hintFailures: FailureRecords = { record: recordHintFailure, clear: clearHintFailure }

/** Makes a request about a term. On failure records the reason, which is cleared by the next success. */
async function askAbout(
  db: Database,
  name: TermName,
  { record, clear }: FailureRecords,
  ask: () => Promise<{ outcome: Outcome }>,
): Promise<Outcome> {
  const recordReason = (failure: SourceFailure | SuspectAnswer) =>
    record(db, name, { at: new Date(), code: failure.kind, message: failure.message })
  try {
    const { outcome } = await ask()
    if (isSuspectOutcome(outcome)) await recordReason(new SuspectAnswer(name.term, name.country, outcome))
    else await clear(db, name)
    return outcome
  } catch (error) {
    // An open circuit sent no request.
    if (isFailedAnswer(error) && error.kind !== 'circuit-open') await recordReason(error)
    throw error
  }
}

/** Checks apps. On failure records the reason, which is cleared by the next success. */
async function checkApps<Answer>(db: Database, apps: CheckedApps, ask: () => Promise<Answer>): Promise<Answer> {
  try {
    const answer = await ask()
    await clearCheckFailures(db, apps)
    return answer
  } catch (error) {
    if (error instanceof SourceFailure) {
      const { kind: code, message } = error
      // `not-found` is a valid answer, and an open circuit sent no request.
      if (code === 'not-found') await clearCheckFailures(db, apps)
      else if (code !== 'circuit-open') await recordCheckFailures(db, apps, { at: new Date(), code, message })
    }
    throw error
  }
}
