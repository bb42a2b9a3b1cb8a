import { Link } from '@tanstack/react-router'
import { Fragment } from 'react'
import { countryName } from './format.ts'
import type { Country } from './shapes.ts'

/** The storefronts where more is known, as links to the same page there. Shows nothing where there are none. */
export function AlsoIn({ countries }: { countries: readonly Country[] }) {
  if (countries.length === 0) return null
  return (
    <p className="quiet">
      Also stored for{' '}
      {countries.map((country, index) => (
        <Fragment key={country}>
          {index > 0 && ', '}
          <Link to="." search={(search) => ({ ...search, country })}>
            {countryName(country)}
          </Link>
        </Fragment>
      ))}
      .
    </p>
  )
}
