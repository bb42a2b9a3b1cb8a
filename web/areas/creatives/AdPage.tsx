import { CreativesFrame } from './CreativesFrame.tsx'

export function AdPage() {
  return <CreativesFrame title="Ad">{null}</CreativesFrame>
}
