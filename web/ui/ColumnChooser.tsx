import { useMemo, useState } from 'react'
import { Menu, MenuItem, MenuTrigger, Popover } from 'react-aria-components'
import { Button } from './Button.tsx'
import fields from './fields.module.css'
import { Columns2 } from './icons.ts'

/** What of a column says whether it is shown. */
interface Choosable {
  id: string
  name: string
  hiddenAtFirst?: boolean
}

const placeOf = (table: string) => `rivalscope.columns.${table}`

/**
 * The columns of a table that are shown, as chosen in this browser. The first one always is.
 * @param table under which name the choice is remembered; without it all are shown
 */
export function useChosenColumns<Column extends Choosable>(
  table: string | undefined,
  columns: readonly Column[],
): { shown: readonly Column[]; choose: (ids: ReadonlySet<unknown>) => void } {
  const [chosen, setChosen] = useState(() =>
    table === undefined ? new Map<string, boolean>() : chosenIn(table),
  )
  const shown = useMemo(
    () =>
      table === undefined
        ? columns
        : columns.filter(({ id, hiddenAtFirst }, index) => index === 0 || (chosen.get(id) ?? !hiddenAtFirst)),
    [table, columns, chosen],
  )
  return {
    shown,
    choose: (ids) => {
      // Of columns that are not there today, such as those of other evidence, the choice stays.
      const next = new Map([...chosen, ...columns.map(({ id }): [string, boolean] => [id, ids.has(id)])])
      setChosen(next)
      if (table === undefined) return
      try {
        localStorage.setItem(placeOf(table), JSON.stringify([...next]))
      } catch {
        // Storage that is full or forbidden costs the memory, and nothing else.
      }
    },
  }
}

function chosenIn(table: string): Map<string, boolean> {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(placeOf(table)) ?? '[]')
    return new Map(Array.isArray(kept) ? kept.filter(isChoice) : [])
  } catch {
    return new Map()
  }
}

const isChoice = (one: unknown): one is [string, boolean] =>
  Array.isArray(one) && typeof one[0] === 'string' && typeof one[1] === 'boolean'

/** Shows and hides the columns of a table but its first. */
export function ColumnChooser({
  columns,
  shown,
  choose,
}: {
  columns: readonly Choosable[]
  shown: readonly Choosable[]
  choose: (ids: ReadonlySet<unknown>) => void
}) {
  return (
    <MenuTrigger>
      <Button small look="bare" icon={<Columns2 size={13} aria-hidden="true" />}>
        Columns
      </Button>
      <Popover className={`${fields.popover} raised`}>
        <Menu
          aria-label="Columns shown"
          style={{ outline: 0 }}
          items={columns.slice(1)}
          selectionMode="multiple"
          selectedKeys={shown.map(({ id }) => id)}
          onSelectionChange={(keys) => choose(keys === 'all' ? new Set(columns.map(({ id }) => id)) : keys)}
        >
          {({ id, name }) => (
            <MenuItem
              id={id}
              textValue={name}
              className={`${fields.ticked} option row nowrap stretch between gap-3 nobreak`}
            >
              {name}
            </MenuItem>
          )}
        </Menu>
      </Popover>
    </MenuTrigger>
  )
}
