import { LinkButton } from '../../ui/Button.tsx'
import { Empty } from '../../ui/parts.tsx'

/** Shown instead of actions that the session may not perform. */
export const NeedsScope = ({ evidence = false }: { evidence?: boolean }) => (
  <Empty
    title={evidence ? 'Your key may not add data' : 'Your key is read-only'}
    action={<LinkButton to="/settings">See its scopes</LinkButton>}
  >
    {evidence
      ? 'Your own links and records need a key that may add data. Ask an admin of your account, or the operator.'
      : 'Finding advertisers, importing and linking need a key with the scope content:write. Ask an admin of your account, or the operator.'}
  </Empty>
)
