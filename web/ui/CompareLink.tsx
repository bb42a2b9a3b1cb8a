import { Link } from '@tanstack/react-router'
import { besideLast, type Subject, subjectsText } from '../evidence/compared.ts'
import { Columns2 } from './icons.ts'
import type { Column } from './table-column.ts'

/** Puts an app beside those that were compared last, and goes there. */
export const CompareLink = ({ name, ...subject }: Subject & { name: string }) => (
  <Link
    to="/apps/compare"
    search={{ country: subject.country, apps: subjectsText(besideLast([subject], subject.country)) }}
    aria-label={`Compare ${name}`}
    title="Compare"
    className="line quiet"
    data-screen-only
  >
    <Columns2 size={15} aria-hidden="true" />
  </Link>
)

/** The column of a list of apps whose cells lead to the page that compares them. */
export const compareColumn = <Row,>(subjectOf: (row: Row) => Subject & { name: string }): Column<Row> => ({
  id: 'compare',
  name: 'Compare',
  heading: <span className="hidden">Compare</span>,
  width: 44,
  csv: () => null,
  cell: (row) => <CompareLink {...subjectOf(row)} />,
})
