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

/** How values of a kind are stored, and which of two of one instant wins: the greater one. */
interface StoredKind {
  type: RawBuilder<unknown>
  /** Written in place of an absent value; a kind without it is never absent. */
  absent?: string
  greatest(value: RawBuilder<unknown>): RawBuilder<unknown>
  /** Makes a value comparable. */
  ordered(value: RawBuilder<unknown>): RawBuilder<unknown>
}

const kinds = {
  flag: {
    type: sql`boolean`,
    greatest: (value) => sql`bool_or(${value})`,
    ordered: (value) => value,
  },
  day: {
    type: sql`date`,
    absent: 'infinity',
    greatest: (value) => sql`max(${value})`,
    ordered: (value) => value,
  },
  text: {
    type: sql`text`,
    absent: '',
    greatest: (value) => sql`max(${value} collate "C")`,
    ordered: (value) => sql`${value} collate "C"`,
  },
} as const satisfies { [Kind in AdKind]?: StoredKind }

const kindOf = (field: ObservedField): StoredKind => kinds[adFields[field].kind]

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
  greatest: eachField((field) => sql`${kindOf(field).greatest(sql.ref(field))} filter (where counts)`),
  /** Of the stored row `o` and a new one: user-provided values give way to those of a source, else the greater one wins. */
  merged: eachField((field) => {
    const column = columnOf(field)
    const stored = sql`case when o.brought <= excluded.brought then o.${column} end`
    const sent = sql`case when excluded.brought <= o.brought then excluded.${column} end`
    return sql`${column} = greatest(${kindOf(field).ordered(stored)}, ${kindOf(field).ordered(sent)})`
  }),
  /** Of the stored row `o`, as `ObservedValues`. */
  selected: eachField((field) => {
    const value = sql`o.${columnOf(field)}`
    return sql`${adFields[field].kind === 'day' ? sql`${value}::text` : value} as ${sql.ref(field)}`
  }),
}
