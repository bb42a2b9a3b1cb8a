import { queryOptions } from '@tanstack/react-query'
import type { ReplyOf } from '../../api/operations.ts'
import { useReplies } from '../../api/replies.ts'
import { readOfPages } from '../../api/session.ts'
import { type Subject, subjectKey } from '../../evidence/compared.ts'
import type { Country, Evidence, Rank, RankChange, Visibility } from '../../evidence/shapes.ts'

/** What is known of one subject; undefined until it is read, or where it could not be. */
export interface Compared {
  subject: Subject
  record: ReplyOf<'get_competitor'> | undefined
  aso: ReplyOf<'get_competitor_aso'> | undefined
  /** The ads that run, of all storefronts. */
  running: ReplyOf<'search_paid_ads'> | undefined
}

/** Everything beside the keywords, in one request. */
export function useCompared(subjects: readonly Subject[]): {
  compared: Compared[]
  isReading: boolean
  error: unknown
} {
  const apps = [...new Set(subjects.map(({ storeId }) => storeId))]
  const records = useReplies('get_competitor', subjects)
  const aso = useReplies('get_competitor_aso', subjects)
  const ads = useReplies(
    'search_paid_ads',
    apps.map((storeId) => ({ competitor: [storeId], active: true, limit: 1 })),
  )
  const readings = [records.reading, aso.reading, ads.reading]
  return {
    compared: subjects.map((subject, at) => ({
      subject,
      record: records.replies[at],
      aso: aso.replies[at],
      running: ads.replies[apps.indexOf(subject.storeId)],
    })),
    isReading: readings.some(({ done, total }) => done < total),
    error: readings.find(({ error }) => error !== null)?.error ?? null,
  }
}

/** `GET /keyword-matrix` (docs/http.md). */
export interface KeywordMatrix {
  subjects: (Subject & { visibility: Visibility })[]
  total: number
  surface: string
  items: MatrixRow[]
}

export interface MatrixRow {
  term: string
  cells: { rank: Rank; over30Days: RankChange }[]
  pages: Partial<Record<Country, Evidence>>
}

/** Ranks of all subjects for the same keywords. Its key begins with an operation that rests on the same evidence. */
export const keywordMatrix = (subjects: readonly Subject[]) =>
  queryOptions({
    queryKey: ['get_aso_keyword_gap', 'matrix', ...subjects.map(subjectKey)] as const,
    queryFn: ({ signal }) =>
      readOfPages<KeywordMatrix>(
        `/keyword-matrix?${new URLSearchParams(subjects.map((one): [string, string] => ['app', subjectKey(one)]))}`,
        signal,
      ),
    enabled: subjects.length > 0,
  })
