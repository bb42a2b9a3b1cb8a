import { addDays } from '../../evidence/days.ts'
import { IconButton } from '../../ui/Button.tsx'
import { DayField } from '../../ui/fields.tsx'
import { ChevronLeft, ChevronRight } from '../../ui/icons.ts'

/** A day, and those beside it. Cleared it is the newest one. */
export function DayChoice({
  label,
  day,
  isNewest,
  step = 1,
  onChoose,
}: {
  label: string
  day: string | undefined
  /** There is nothing later to go to. */
  isNewest: boolean
  /** Days that the buttons go. */
  step?: number
  onChoose: (day: string | undefined) => void
}) {
  return (
    <div className="row nowrap bottom gap-1 fixed">
      <IconButton
        label={`${step === 1 ? 'Previous day' : `${step} days earlier`}: ${label}`}
        icon={<ChevronLeft size={16} aria-hidden="true" />}
        isDisabled={!day}
        onPress={() => day && onChoose(addDays(day, -step))}
      />
      <DayField label={label} value={day} onChange={onChoose} />
      <IconButton
        label={`${step === 1 ? 'Next day' : `${step} days later`}: ${label}`}
        icon={<ChevronRight size={16} aria-hidden="true" />}
        isDisabled={!day || isNewest}
        onPress={() => day && onChoose(addDays(day, step))}
      />
    </div>
  )
}
