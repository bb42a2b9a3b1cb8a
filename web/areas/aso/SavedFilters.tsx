import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { notify } from '../../api/notices.ts'
import { problemInWords } from '../../api/problems.ts'
import { changeOfPages, useHasScope } from '../../api/session.ts'
import { isolateDirection } from '../../evidence/format.ts'
import { Button, IconButton } from '../../ui/Button.tsx'
import { TextField } from '../../ui/fields.tsx'
import { Bookmark, ChevronDown, Trash2 } from '../../ui/icons.ts'
import { Dialog, Menu } from '../../ui/overlays.tsx'
import { filtersOf, type KeywordSearch, keywordSearch } from './keyword-filters.ts'
import { filtersAddress, type SavedFilter, savedFilters } from './saved-filters.ts'

const longestName = 50

/** Chooses a filter that the account keeps, and keeps what is filtered now. */
export function SavedFilters({
  search,
  onChoose,
}: {
  search: KeywordSearch
  onChoose: (filters: ReturnType<typeof filtersOf>) => void
}) {
  const { data: saved = [] } = useQuery(savedFilters)
  const mayWrite = useHasScope('content:write')
  const { parseSearch, stringifySearch } = useRouter().options
  const query = stringifySearch?.(filtersOf(search)).replace(/^\?/, '') ?? ''
  const mayKeep = mayWrite && (query !== '' || saved.length > 0)
  if (saved.length === 0 && !mayKeep) return null
  return (
    <span className="row pushed" data-screen-only>
      {saved.length > 0 && (
        <Menu
          label="Saved filters"
          trigger={
            <Button small icon={<Bookmark size={13} aria-hidden="true" />}>
              Saved filters <ChevronDown size={13} aria-hidden="true" />
            </Button>
          }
          entries={saved.map(({ name, query: kept }) => ({
            id: name,
            name: isolateDirection(name),
            onAction: () => onChoose(filtersOf(keywordSearch(parseSearch?.(`?${kept}`) ?? {}))),
          }))}
        />
      )}
      {mayKeep && (
        <Dialog
          title="Saved filters"
          trigger={
            <Button small look="bare">
              {query === '' ? 'Edit saved filters…' : 'Save filter…'}
            </Button>
          }
        >
          {(close) => <Kept query={query} saved={saved} onDone={close} />}
        </Dialog>
      )}
    </span>
  )
}

/** Keeps a filter by a name, in place of the one that has it, and gives others up. */
function Kept({ query, saved, onDone }: { query: string; saved: readonly SavedFilter[]; onDone: () => void }) {
  const queries = useQueryClient()
  const [name, setName] = useState('')
  const [isPending, setPending] = useState(false)
  const isKnown = saved.some((one) => one.name === name.trim())
  const change = async (work: () => Promise<unknown>, text: string, undo?: () => Promise<unknown>) => {
    setPending(true)
    try {
      await work()
      notify({ kind: 'done', text, undo: undo && (() => void change(undo, 'Undone')) })
      return true
    } catch (error) {
      notify({ kind: 'failed', ...problemInWords(error) })
      return false
    } finally {
      setPending(false)
      await queries.invalidateQueries(savedFilters)
    }
  }
  const keep = (filter: { name: string; query: string }) => changeOfPages('PUT', filtersAddress, filter)
  const send = async (event: FormEvent) => {
    event.preventDefault()
    const filter = { name: name.trim(), query }
    if (await change(() => keep(filter), `Filter “${isolateDirection(filter.name)}” saved`)) onDone()
  }
  return (
    <div className="stack">
      {query !== '' && (
        <form className="stack" onSubmit={(event) => void send(event)}>
          <TextField
            label="Name"
            description={
              isKnown
                ? 'Replaces the saved filter with this name.'
                : 'Visible to everyone in this account, for every app.'
            }
            value={name}
            onChange={setName}
            maxLength={longestName}
            autoFocus
          />
          <div className="row">
            <Button look="primary" type="submit" isPending={isPending} isDisabled={name.trim() === ''}>
              {isKnown ? 'Replace' : 'Save'}
            </Button>
          </div>
        </form>
      )}
      {saved.length > 0 && (
        <ul className="ruled pad-rows" aria-label="Saved filters">
          {saved.map((one) => (
            <li key={one.name} className="row nowrap between">
              <bdi className="anywhere">{one.name}</bdi>
              <IconButton
                label={`Remove filter ${one.name}`}
                icon={<Trash2 size={14} aria-hidden="true" />}
                isDisabled={isPending}
                onPress={() =>
                  void change(
                    () => changeOfPages('DELETE', `${filtersAddress}?name=${encodeURIComponent(one.name)}`),
                    `Filter “${isolateDirection(one.name)}” removed`,
                    () => keep({ name: one.name, query: one.query }),
                  )
                }
              />
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
