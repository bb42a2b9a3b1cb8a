import { type RawBuilder, sql } from 'kysely'
import {
  type AdKind,
  type AdValuesOf,
  adFields,
  type ObservedField,
  observedFields,
} from '../../vocabulary/ad-fields.ts'
import type { Stated } from '../facts/merge.ts'

/** The fields whose values each observation of an ad keeps, as columns: null is not carried, and an absent value has one of its own. */
export type ObservedValues = { [Field in ObservedField]: AdValuesOf<Field>[Field] | null }

/** How values of a kind are stored, what stands for an absent one, and what finds the greatest: of two of one instant it wins. */
const kinds = {
  flag: { type: sql`boolean`, absent: null, greatest: sql`bool_or`, collation: sql`` },
  day: { type: sql`date`, absent: 'infinity', greatest: sql`max`, collation: sql`` },
  text: { type: sql`text`, absent: '', greatest: sql`max`, collation: sql`collate "C"` },
} as const satisfies { [Kind in AdKind]?: object }

const kindOf = (field: ObservedField) => kinds[adFields[field].kind]

const columnOf = (field: ObservedField) =>
  sql.ref(field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`))

const eachField = (write: (field: ObservedField) => RawBuilder<unknown>) => sql.join(observedFields.map(write))

/** The values of an observation, as they are sent to the store. */
export const observedValues = (facts: Stated<AdValuesOf<ObservedField>>): ObservedValues =>
  Object.fromEntries(
    observedFields.map((field) => [
      field,
      (facts[field] === null ? kindOf(field).absent : facts[field]) ?? null,
    ]),
  ) as ObservedValues

/** A stored value of an observation: undefined is not carried, null absent. */
export const statedValue = (values: ObservedValues, field: ObservedField) => {
  const value = values[field]
  return value === null ? undefined : value === kindOf(field).absent ? null : value
}

/** Parts of statements about observations. */
export const observed = {
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
  /** Of the stored row `o`, as `ObservedValues`. */
  selected: eachField((field) => {
    const value = sql`o.${columnOf(field)}`
    return sql`${adFields[field].kind === 'day' ? sql`${value}::text` : value} as ${sql.ref(field)}`
  }),
}
