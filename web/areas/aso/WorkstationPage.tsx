import { useParams } from '@tanstack/react-router'
import { AsoPage } from './AsoHeader.tsx'

export function WorkstationPage() {
  const { appId } = useParams({ from: '/aso/$appId' })
  return (
    <AsoPage appId={appId} part="keywords">
      {() => null}
    </AsoPage>
  )
}
