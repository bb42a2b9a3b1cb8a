import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { SearchField } from '../../ui/fields.tsx'

const longest = 200

/** Why a text is no keyword; undefined where it is one. */
export function whyNotAKeyword(text: string): string | undefined {
  if (!/[\p{L}\p{N}]/u.test(text)) return 'A keyword needs at least one letter or digit.'
  return [...text].length > longest ? `A keyword can have up to ${longest} characters.` : undefined
}

/** Opens the explorer for a keyword that is typed. */
export function TermBox() {
  const navigate = useNavigate()
  const [text, setText] = useState('')
  const [problem, setProblem] = useState<string>()
  return (
    <div className="anchor" style={{ width: 220 }}>
      <SearchField
        label="Explore a keyword"
        placeholder="Explore a keyword"
        value={text}
        onChange={(typed) => {
          setText(typed)
          setProblem(undefined)
        }}
        onSubmit={(typed) => {
          const term = typed.trim().replaceAll(/\s+/g, ' ')
          const why = whyNotAKeyword(term)
          setProblem(why)
          if (why === undefined) {
            setText('')
            void navigate({ to: '/aso/keywords/$term', params: { term } })
          }
        }}
      />
      <p className="small nobreak bad" style={{ position: 'absolute', insetBlockStart: '100%' }} role="status">
        {problem}
      </p>
    </div>
  )
}
