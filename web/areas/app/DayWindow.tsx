import { addDays } from '../../evidence/days.ts'
import { customProperties } from '../../ui/css.ts'
import { DayField } from '../../ui/fields.tsx'
import { Segments } from '../../ui/Segments.tsx'
import { today, type Window, windows } from './window.ts'

type Days = { last?: Window | undefined; from?: string | undefined; to?: string | undefined }

/** The days that a series is shown for: the last month, quarter or year, or from one day to another. */
export function DayWindow({
  window: { last, from, to },
  onChange,
}: {
  window: { last: Window | undefined; from: string; to: string }
  onChange: (days: Days) => void
}) {
  return (
    <>
      <Segments<`${Window}` | 'days'>
        label="Last days"
        segments={[
          ...windows.map((days) => ({ id: `${days}` as const, name: `${days}` })),
          ...(last ? [] : [{ id: 'days' as const, name: 'Custom' }]),
        ]}
        value={last ? `${last}` : 'days'}
        onChange={(id) => {
          const chosen = windows.find((days) => `${days}` === id)
          if (chosen) onChange({ last: chosen === 90 ? undefined : chosen, from: undefined, to: undefined })
        }}
      />
      <div className="tiles" style={{ ...customProperties({ '--tile': '130px' }), flex: '0 1 300px' }}>
        <DayField
          label="From"
          value={from}
          max={to}
          onChange={(day) => onChange({ from: day ?? addDays(to, -89), to, last: undefined })}
        />
        <DayField
          label="To"
          value={to}
          min={from}
          max={today()}
          onChange={(day) => onChange({ from, to: day, last: undefined })}
        />
      </div>
    </>
  )
}
