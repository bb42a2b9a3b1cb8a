import { CreativesFrame } from './CreativesFrame.tsx'

export function TimelinePage() {
  return <CreativesFrame title="Timeline">{null}</CreativesFrame>
}
