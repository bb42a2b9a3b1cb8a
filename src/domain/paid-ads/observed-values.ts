import { type RawBuilder, sql } from 'kysely'
import {
  type AdFieldKind,
  type AdFieldTypesOf,
  adFields,
  type ObservedAdField,
  observedAdFields,
} from '../../vocabulary/ad-fields.ts'
import type { Stated } from '../facts/merge.ts'

/** The fields whose values each observation of an ad keeps, as columns: null is not carried, and an absent value has one of its own. */
export type AdObservationValues = { [Field in ObservedAdField]: AdFieldTypesOf<Field>[Field] | null }

/** How values of a kind are stored, what stands for an absent one, and what finds the greatest: of two of one instant it wins. */
const kinds = {
  flag: { type: sql`boolean`, absent: null, greatest: sql`bool_or`, collation: sql`` },
  day: { type: sql`date`, absent: 'infinity', greatest: sql`max`, collation: sql`` },
  text: { type: sql`text`, absent: '', greatest: sql`max`, collation: sql`collate "C"` },
} as const satisfies { [Kind in AdFieldKind]?: object }

const kindOf = (field: ObservedAdField) => kinds[adFields[field].kind]

const columnOf = (field: ObservedAdField) =>
  sql.ref(field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`))

const eachField = (write: (field: ObservedAdField) => RawBuilder<unknown>) =>
  sql.join(observedAdFields.map(write))

/** The values of an observation, as they are sent to the store. */
export const adObservationValues = (facts: Stated<AdFieldTypesOf<ObservedAdField>>): AdObservationValues =>
  Object.fromEntries(
    observedAdFields.map((field) => [
      field,
      (facts[field] === null ? kindOf(field).absent : facts[field]) ?? null,
    ]),
  ) as AdObservationValues

/** A stored value of an observation: undefined is not carried, null absent. */
export const storedObservationValue = (values: AdObservationValues, field: ObservedAdField) => {
  const value = values[field]
  return value === null ? undefined : value === kindOf(field).absent ? null : value
}

/** Parts of statements about observations. */
export const observationSql = {
  columns: eachField(columnOf),
  /** For `json_to_recordset`. */
  sent: eachField((field) => sql`${sql.ref(field)} ${kindOf(field).type}`),
  /** The greatest of those that count. */
  greatest: eachField((field) => {
    const { greatest, collation } = kindOf(field)
    return sql`${greatest}(${sql.ref(field)} ${collation}) filter (where counts)`
  }),
  /** Of the stored row `o` and a new one: user-provided values give way to those of a source, else the greater one wins. */
  merged: eachField((field) => {
    const column = columnOf(field)
    return sql`${column} = greatest(case when o.brought <= excluded.brought then o.${column} end ${kindOf(field).collation},
      case when excluded.brought <= o.brought then excluded.${column} end)`
  }),
  /** Of the stored row `o`, as `AdObservationValues`. */
  selected: eachField((field) => {
    const value = sql`o.${columnOf(field)}`
    return sql`${adFields[field].kind === 'day' ? sql`${value}::text` : value} as ${sql.ref(field)}`
  }),
}
