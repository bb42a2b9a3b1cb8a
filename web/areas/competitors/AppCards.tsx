import { Link } from '@tanstack/react-router'
import { type KeyboardEvent, useEffect, useRef } from 'react'
import { Fact } from '../../evidence/Fact.tsx'
import { ago, count, countryName, decimal, money } from '../../evidence/format.ts'
import type { AppSummary, Country } from '../../evidence/shapes.ts'
import { AppIcon } from '../../ui/AppLink.tsx'
import { css } from '../../ui/css.ts'
import { Badge } from '../../ui/parts.tsx'
import styles from './search.module.css'

/** The apps of a search as cards, for who looks rather than compares. j and k go from card to card. */
export function AppCards({
  apps,
  country,
  onNearEnd,
}: {
  apps: readonly AppSummary[]
  country: Country
  onNearEnd: () => void
}) {
  const end = useRef<HTMLLIElement>(null)
  const nearEnd = useRef(onNearEnd)
  nearEnd.current = onNearEnd
  // biome-ignore lint/correctness/useExhaustiveDependencies: more cards may leave the end in view
  useEffect(() => {
    if (!end.current) return
    const seen = new IntersectionObserver(([entry]) => entry?.isIntersecting && nearEnd.current(), {
      rootMargin: '400px',
    })
    seen.observe(end.current)
    return () => seen.disconnect()
  }, [apps.length])
  return (
    <ul className="tiles gap-0" style={css({ '--tile': '270px' })} onKeyDown={moveBetweenCards}>
      {apps.map((app) => (
        <li key={app.storeId} className={`${styles.card} pad-4 anchor row nowrap stretch gap-3 shrinks`}>
          <AppIcon url={app.icon.state === 'measured' ? app.icon.value : null} name={app.name} size={56} />
          <div className="stack top gap-0 small shrinks" style={{ minHeight: 84 }}>
            <Link
              to="/apps/$storeId"
              params={{ storeId: app.storeId }}
              search={{ country }}
              className="covers ink fits cut normal medium"
            >
              <bdi>{app.name}</bdi>
            </Link>
            {app.namedIn === country ? (
              <CardFacts app={app} />
            ) : (
              <Badge tone="warn">only in {countryName(app.namedIn)}</Badge>
            )}
          </div>
        </li>
      ))}
      <li ref={end} aria-hidden="true" />
    </ul>
  )
}

function CardFacts({ app }: { app: AppSummary }) {
  const { evidence, developer, primaryCategory, rating, ratingCount, price, updatedAt } = app
  return (
    <>
      <span className="cut quiet fits anchor">
        <Fact fact={developer} evidence={evidence} format={(name) => <bdi>{name}</bdi>} />
      </span>
      <span className="cut quiet fits anchor">
        <Fact fact={primaryCategory} evidence={evidence} format={({ name }) => name} />
        {' · '}
        <Fact fact={price} evidence={evidence} format={money} />
      </span>
      <span className="cut quiet fits anchor">
        <span aria-hidden="true">★ </span>
        <span className="hidden">Rating </span>
        <Fact fact={rating} evidence={evidence} format={decimal} /> (
        <Fact fact={ratingCount} evidence={evidence} format={count} />)
      </span>
      <span className="cut quiet fits anchor">
        Updated <Fact fact={updatedAt} evidence={evidence} format={(at) => ago(at)} />
      </span>
    </>
  )
}

function moveBetweenCards(event: KeyboardEvent<HTMLUListElement>): void {
  const step = { j: 1, k: -1 }[event.key]
  if (step === undefined || event.metaKey || event.ctrlKey || event.altKey) return
  const links = [...event.currentTarget.querySelectorAll<HTMLElement>('a')]
  const card = (event.target as Element).closest('li')
  links[links.findIndex((link) => card?.contains(link)) + step]?.focus()
}
