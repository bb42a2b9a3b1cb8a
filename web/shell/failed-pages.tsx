import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { LinkButton } from '../ui/Button.tsx'
import { Empty, Page, Problem } from '../ui/parts.tsx'

/** A page that cannot be shown. */
export function PageFailed({ error, reset }: ErrorComponentProps) {
  const router = useRouter()
  return (
    <Page title="This page could not be shown">
      <Problem
        error={error}
        retry={() => {
          reset()
          void router.invalidate()
        }}
      />
    </Page>
  )
}

export function NotFound() {
  return (
    <Page title="Page not found">
      <Empty title="There is no page at this address" action={<LinkButton to="/">Go to Home</LinkButton>}>
        The link may be outdated or mistyped.
      </Empty>
    </Page>
  )
}
