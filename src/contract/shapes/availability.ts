import { z } from 'zod'
import { availabilityStates, fewestStorefronts } from '../../vocabulary/availability.ts'
import { Evidence } from './evidence.ts'
import { Country, Timestamp } from './primitives.ts'

const lastSeenAt = Timestamp.nullable().describe(
  'Newest answer, page or file that showed it there before; null when none did. Charts do not count.',
)

/** Fields that say when an app was asked for and not listed. */
const missed = {
  firstMissedAt: Timestamp,
  lastMissedAt: Timestamp,
  misses: z.int().min(1).describe('Times it was asked for and not listed, by Lookup or by its page.'),
}

export const Absence = z
  .object({
    lastSeenAt,
    ...missed,
    backAt: Timestamp.nullable().describe('First sighting after it; null while there is none.'),
    confirmedAt: Timestamp.nullable().describe(
      'When a second miss confirmed it, an hour or more after the first or by the other source; null while none did: that is no removal.',
    ),
    evidence: z.array(Evidence).describe('The last and the first miss; one where they are the same.'),
  })
  .meta({
    id: 'Absence',
    description:
      'A time in which a storefront was asked for the app and did not list it. A page that answers 404 counts; an answer of Lookup counts where it lists another app that was asked for with it.',
  })

export const Absences = z
  .array(Absence)
  .describe('Times in which this storefront did not list it, newest first, at most 20.')

export const Availability = z
  .object({
    state: z
      .enum(availabilityStates)
      .describe(
        `Of this storefront. \`listed\`: the newest evidence shows it. \`missed\`: not listed when it was asked for, not confirmed. \`not-found\`: confirmed, other storefronts may have it. \`probably-removed\`: confirmed, and none of ${fewestStorefronts} or more storefronts asked since it was last seen lists it. \`unknown\`: never seen here, nor asked for.`,
      ),
    detail: z.string().describe('The same in plain words, with dates.'),
    lastSeenAt,
    since: Timestamp.nullable().describe('First miss since then; null where it is listed or unknown.'),
    stillInChartsAt: Timestamp.nullable().describe(
      'Newest snapshot of a chart of the storefront that shows it and is younger than the first miss: charts can lag behind, so the removal is in doubt. Null without one.',
    ),
    askedSince: z
      .array(Country)
      .describe('Storefronts asked since it was last seen anywhere, none of which lists it, alphabetically.'),
    storefronts: z
      .array(
        z
          .object({
            country: Country,
            state: z.enum(['listed', 'missed', 'not-found']),
            lastSeenAt,
            firstMissedAt: Timestamp.nullable().describe('Since it was last seen; null where it is listed.'),
            lastMissedAt: Timestamp.nullable(),
          })
          .meta({ id: 'StorefrontAvailability', description: 'What is known of one storefront.' }),
      )
      .describe(
        'Storefronts that missed it or have a record of it, the one asked for first, at most 30. Empty while no storefront missed it.',
      ),
    absences: Absences,
  })
  .meta({
    id: 'Availability',
    description:
      'Whether the storefront lists the app, as far as stored evidence tells. Nobody but Apple knows of a removal: one miss, or misses in one storefront, are never called one.',
  })
