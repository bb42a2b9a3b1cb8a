import { useState } from 'react'
import { notify } from '../api/notices.ts'
import { Button } from './Button.tsx'
import { Check, Copy } from './icons.ts'

/** A text with a button that copies it. */
export function CopyableText({ text }: { text: string }) {
  const [copied, setCopied] = useState(false)
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      setCopied(true)
      setTimeout(() => setCopied(false), 2_000)
    } catch {
      notify({ kind: 'failed', text: 'The browser does not allow copying here. Select the text and copy it.' })
    }
  }
  return (
    <div className="row nowrap top">
      <pre className="fills pad-2-3 rounded sunken small anywhere">{text}</pre>
      <Button
        small
        icon={copied ? <Check size={13} aria-hidden="true" /> : <Copy size={13} aria-hidden="true" />}
        onPress={() => void copy()}
      >
        {copied ? 'Copied' : 'Copy'}
      </Button>
    </div>
  )
}
