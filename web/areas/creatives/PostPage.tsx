import { CreativesFrame } from './CreativesFrame.tsx'

export function PostPage() {
  return <CreativesFrame title="Post">{null}</CreativesFrame>
}
