import { useState } from 'react'
import { useHasScope } from '../../api/session.ts'
import { setTimes, type Times, useChange } from '../../api/watches.ts'
import { timeZone as ofBrowser } from '../../evidence/format.ts'
import { Button } from '../../ui/Button.tsx'
import { Checkbox, Choice, TextField } from '../../ui/fields.tsx'
import { Panel } from '../../ui/parts.tsx'

const zones = [...new Set([ofBrowser, 'UTC', ...Intl.supportedValuesOf('timeZone')])].map((id) => ({
  id,
  name: id.replaceAll('_', ' '),
}))

/** When nothing is sent, and in which time zone days and weeks end. */
export function QuietHours({ times }: { times: Times }) {
  const mayWrite = useHasScope('content:write')
  const [timeZone, setTimeZone] = useState(times.timeZone)
  const [hours, setHours] = useState(times.quietHours)
  const save = useChange(setTimes, { changes: ['channels'], done: () => 'Quiet hours saved.' })
  return (
    <Panel title="Quiet hours" note="Events are held back and sent afterwards. Digests are sent from 07:00.">
      <form
        className="stack gap-3"
        style={{ maxWidth: 560 }}
        onSubmit={(event) => {
          event.preventDefault()
          save.mutate({ timeZone, quietHours: hours })
        }}
      >
        <Choice label="Time zone" options={zones} value={timeZone} onChange={setTimeZone} />
        <Checkbox
          isSelected={hours !== null}
          onChange={(on) => setHours(on ? { from: '22:00', until: '07:00' } : null)}
        >
          Send nothing between
        </Checkbox>
        {hours && (
          <div className="row gap-3">
            <TextField
              label="From"
              type="time"
              isRequired
              value={hours.from}
              onChange={(from) => setHours({ ...hours, from })}
            />
            <TextField
              label="Until"
              type="time"
              isRequired
              value={hours.until}
              onChange={(until) => setHours({ ...hours, until })}
            />
          </div>
        )}
        {mayWrite && (
          <div>
            <Button type="submit" isPending={save.isPending}>
              Save
            </Button>
          </div>
        )}
      </form>
    </Panel>
  )
}
