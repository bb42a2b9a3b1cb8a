import { sql } from 'kysely'
import { type Database, firstRow } from '../../storage/database.ts'
import { normalForm } from '../../text/normal-form.ts'
import { notMeasured } from '../facts/fact.ts'
import { findQuote, type Passage } from './ad-words.ts'
import type {
  AnalysisReading,
  NotMeasured,
  Quote,
  ReadStatement,
  Statement,
  Statements,
  TextPart,
} from './analysis.ts'

/** A statement by a language model, with unchecked quotes. */
interface ModelStatement {
  statement: string
  quotes: { text: string; foundIn: TextPart }[]
}

/** The answer of a language model; null means that the ad says nothing of the kind. */
export interface ModelAnswer {
  hook: ModelStatement | null
  angle: ModelStatement | null
  offer: ModelStatement | null
  callToAction: ModelStatement | null
  urgency: ModelStatement | null
  audience: ModelStatement | null
  claims: ModelStatement[]
}

const longestStatement = 300
const mostQuotes = 5
const mostClaims = 10

/**
 * The verified part of a model's answer. A statement is kept when all its quotes are in the ad, word for word, and it
 * contains no address. Otherwise the local reading replaces it; where that has nothing either, it is not measured, since the
 * ad may say something of the kind.
 * @returns undefined when the model made statements and none is kept
 */
export function verifiedModelAnswer(
  answer: ModelAnswer,
  passages: readonly Passage[],
  local: AnalysisReading,
): AnalysisReading | undefined {
  let stated = 0
  let stood = 0
  const check = (one: ModelStatement): ReadStatement | undefined => {
    const checked = checkedStatement(one, passages)
    stated++
    if (checked) stood++
    return checked
  }
  const one = (field: Exclude<keyof AnalysisReading, 'claims'>): Statement => {
    const said = answer[field]
    if (said === null) return { state: 'absent' }
    const checked = check(said)
    return checked ? { state: 'read', ...checked } : standIn(local[field])
  }
  const claims = (): Statements => {
    if (answer.claims.length === 0) return { state: 'absent' }
    const items = answer.claims
      .map(check)
      .filter((each) => each !== undefined)
      .slice(0, mostClaims)
    return items.length > 0 ? { state: 'read', items } : standIn(local.claims)
  }
  const reading = {
    hook: one('hook'),
    angle: one('angle'),
    offer: one('offer'),
    callToAction: one('callToAction'),
    urgency: one('urgency'),
    audience: one('audience'),
    claims: claims(),
  }
  return stated > 0 && stood === 0 ? undefined : reading
}

const standIn = <S extends Statement | Statements>(local: S): S | NotMeasured =>
  local.state === 'read' ? local : notMeasured('too-little-evidence')

function checkedStatement(
  { statement, quotes }: ModelStatement,
  passages: readonly Passage[],
): ReadStatement | undefined {
  const text = plain(statement)
  if (text === '' || text.length > longestStatement || hasAddress(text)) return undefined
  const found = quotes.slice(0, mostQuotes).map((quote) => findQuote(passages, quote.foundIn, quote.text))
  if (found.length === 0 || found.includes(undefined)) return undefined
  return {
    statement: text,
    quotes: inOrder(
      found.filter((quote) => quote !== undefined),
      passages,
    ),
  }
}

/** In the order of the ad: by part, and within the transcript by time. */
function inOrder(quotes: readonly Quote[], passages: readonly Passage[]): Quote[] {
  const place = ({ foundIn, text }: Quote) => {
    const at = passages.findIndex((passage) => passage.foundIn === foundIn && passage.text.includes(text))
    return at * 1_000_000 + (passages[at]?.text.indexOf(text) ?? 0)
  }
  return quotes.toSorted((one, other) => place(one) - place(other))
}

/** One line without control characters or bidirectional marks. */
const plain = (text: string) =>
  normalForm(text, 'NFC')
    .replaceAll(/[\p{Cc}\u200b\u200e\u200f\u202a-\u202e\u2028\u2029\u2066-\u2069\ufeff]+/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()

/** A model must not lead readers anywhere: no addresses of pages or e-mail, and no markup that becomes links. */
const hasAddress = (text: string) =>
  /:\/\/|\S@\S|[\p{L}\p{N}]\.\p{L}{2,}|[<>]|\]\(|\b(?:javascript|data|mailto|tel):/iu.test(text)

/** Limits per UTC day. */
interface DailyLimit {
  requests: number
  tokens: number
}

/**
 * Charges a request and its tokens against the limit of a day, for all processes together.
 * @param day `YYYY-MM-DD`
 * @returns whether the limit allows it; false charges nothing
 */
export async function chargeModelTokens(
  db: Database,
  day: string,
  tokens: number,
  limit: DailyLimit,
): Promise<boolean> {
  if (limit.requests < 1 || limit.tokens < tokens) return false
  const spent = await firstRow(
    db,
    sql<{ requests: number }>`
      insert into model_usage as used (day, requests, tokens) values (${day}::date, 1, ${tokens})
      on conflict (day) do update set requests = used.requests + 1, tokens = used.tokens + excluded.tokens
        where used.requests + 1 <= ${limit.requests} and used.tokens + excluded.tokens <= ${limit.tokens}
      returning requests`,
  )
  return spent !== undefined
}

/** Corrects the charged tokens once the actual number is known. */
export async function correctChargedTokens(db: Database, day: string, difference: number): Promise<void> {
  await sql`
    update model_usage set tokens = greatest(0, tokens + ${difference}) where day = ${day}::date`.execute(db)
}
