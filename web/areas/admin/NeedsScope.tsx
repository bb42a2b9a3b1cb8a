import { LinkButton } from '../../ui/Button.tsx'
import { Empty } from '../../ui/parts.tsx'

/** Shown instead of actions that the session may not perform. */
export const NeedsScope = ({ evidence = false }: { evidence?: boolean }) => (
  <Empty
    title={evidence ? 'This key may not bring evidence' : 'This key may only read'}
    action={<LinkButton to="/settings">See what it may do</LinkButton>}
  >
    {evidence
      ? 'Links and records of your own need a key that may bring evidence. Ask an admin of your account, or the operator, for one.'
      : 'Finding advertisers, importing and linking need a key with content:write. Ask an admin of your account, or the operator, for one.'}
  </Empty>
)
