import { z } from 'zod'
import { didYouMeanCountry } from '../../vocabulary/did-you-mean-country.ts'
import { storeIdForm } from '../../vocabulary/ids.ts'
import { localizationCodes, storefrontCodes } from '../../vocabulary/storefronts.ts'

/** Apple storefront, ISO 3166-1 alpha-2 in lower case. Input may have any case. */
export const Country = z
  .enum(storefrontCodes, {
    error: ({ input }) => `is not a country with an App Store${didYouMeanCountry(input)}`,
  })
  .meta({
    id: 'Country',
    description: 'Apple storefront as ISO 3166-1 alpha-2. Any case is accepted, lower case is answered.',
  })

export const Platform = z.enum(['ios']).meta({ id: 'Platform', description: 'App platform.' })

export const StoreId = z
  .string()
  .regex(storeIdForm, 'must be an App Store id: 1 to 19 digits without a leading zero')
  .meta({ id: 'StoreId', description: "Apple's numeric app id as a string." })

export const CategoryId = z
  .string()
  .regex(/^[1-9][0-9]{0,5}$/, 'must be an Apple genre id, such as 6015')
  .meta({
    id: 'CategoryId',
    description: 'Apple genre id, such as 6014 for games. `36` is the whole App Store.',
  })

export const Uuid = z
  .uuidv7('must be an id that this service gave, a UUID of version 7; an App Store id is another')
  .meta({ id: 'Uuid', description: 'UUID version 7.' })

export const NamedUuid = z.uuid({ version: 'v5' }).meta({
  id: 'NamedUuid',
  description: 'UUID version 5, made from what it names: the same when stored evidence is read anew.',
})

/** The formula of a computed number. A changed formula gets a new number after the slash. */
export const Formula = z
  .string()
  .regex(/^[a-z]+(?:-[a-z]+)*\/[0-9]+(?: \([^()]+\))?$/, 'must be the name of a formula, such as difficulty/5')
  .meta({
    id: 'Formula',
    description:
      'Name and version of a formula, such as `difficulty/5`; in brackets what this value lacks of it, or the calibration it used. Compare values of one formula only.',
  })

export const Timestamp = z.iso
  .datetime({ offset: false })
  .meta({ id: 'Timestamp', description: 'RFC 3339, UTC.' })

/** A calendar date that exists, between 1900 and 2099. */
export const Day = z.iso
  .date({ abort: true })
  .regex(/^(?:19|20)/, 'must lie between 1900 and 2099')
  .meta({ id: 'Day', description: 'Calendar date, `YYYY-MM-DD`, from 1900 to 2099.' })

/** Which days exist is said by zod's own pattern. */
const earlierTime = new RegExp(
  `^(?:[1-9]\\d{0,3}d|(?=19|20)${z.regexes.date.source.slice(1, -1)}(?:T(?:[01]\\d|2[0-3]):[0-5]\\d(?::[0-5]\\d(?:\\.\\d{1,9})?)?Z)?)$`,
)

export const EarlierTime = z
  .string()
  .regex(
    earlierTime,
    'must be a day from 1900 to 2099, such as 2026-03-01, a time in UTC, such as 2026-03-01T12:00:00Z, or days before, such as 30d',
  )
  .meta({
    id: 'EarlierTime',
    description:
      'Calendar date, `YYYY-MM-DD`, or a time in UTC, `YYYY-MM-DDThh:mm:ssZ`, from 1900 to 2099; or so many days before, such as `30d`.',
  })

export const Language = z
  .string()
  .regex(/^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$/, 'must be a BCP 47 language tag, such as en or pt-BR')
  .meta({ id: 'Language', description: 'BCP 47 language tag.' })

/** A language of a listing as it is asked for; the door of an operation reads it beside its storefront. */
export const ListingLanguage = z.string().min(1).max(35).meta({
  id: 'ListingLanguage',
  description:
    'A localization by its code in App Store Connect, such as `fr-FR`, in any case, or a tag of the language: `nb` is `no`, and `es` the Spanish that the storefront supports.',
})

export const Localization = z.enum(localizationCodes).meta({
  id: 'Localization',
  description: 'A language that a listing can be written in, by its code in App Store Connect.',
})

export const Money = z
  .object({ amount: z.number(), currency: z.string().length(3).describe('ISO 4217 code.') })
  .meta({ id: 'Money', description: 'An amount in a currency.' })

export const Url = z.url({ protocol: /^https?$/ }).meta({ id: 'Url', description: 'Absolute http(s) address.' })

/** What an account writes about something: a note, and tags. */
export const Note = z.string().max(2000)
export const Tags = z.array(z.string().min(1).max(50)).max(20)

/** Free text to search for. */
export const SearchText = z.string().min(1).max(200)

export const Limit = z.int().min(1).max(100).default(25).describe('How many items a page holds.')

export const Cursor = z
  .string()
  .max(600)
  .describe('Opaque position from `nextCursor` of the page before. Keep all other parameters the same.')
