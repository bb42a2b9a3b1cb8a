import type { z } from 'zod'
import type { AppMoves as Shape } from '../contract/shapes/moves.ts'
import { notMeasured } from '../domain/facts/fact.ts'
import type { AppMoves, Looked, RankMove } from '../domain/moves/moves.ts'

type AppMovesShape = z.output<typeof Shape>

/** What moved for an app, in the form of replies. @param moves undefined for an app that is gone */
export function movesShape(moves: AppMoves | undefined, days: number): AppMovesShape {
  const never = notMeasured('never-collected')
  const { keywords = never, charts = never, listing = never, ads = never, posts = never } = moves ?? {}
  return {
    days,
    keywords: looked(keywords, ({ what, ...move }) => ({ term: what, ...rank(move) })),
    charts: looked(charts, ({ what, ...move }) => ({ chart: what, ...rank(move) })),
    listing: looked(listing, ({ what, values, comparedAt, at }) => ({
      field: what,
      ...values,
      comparedAt: comparedAt.toISOString(),
      at: at.toISOString(),
    })),
    ads: looked(ads, seen),
    posts: looked(posts, seen),
  }
}

function looked<Move, Shown>(part: Looked<Move>, shown: (move: Move) => Shown) {
  return part.state === 'not-measured'
    ? part
    : { ...part, lastAt: part.lastAt.toISOString(), items: part.items.map(shown) }
}

const rank = ({ at, ...move }: Omit<RankMove, 'what'>) => ({ ...move, at: at.toISOString() })

const seen = <New extends { firstSeenAt: number }>({ firstSeenAt, ...creative }: New) => ({
  ...creative,
  firstSeenAt: new Date(firstSeenAt).toISOString(),
})
