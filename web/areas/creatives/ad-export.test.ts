import assert from 'node:assert/strict'
import { test } from 'node:test'
import { captionsOf } from './ad-export.ts'

test('a transcript is written as captions, and what was said opens no tag and ends no cue', () => {
  const segment = { confidence: null }
  assert.equal(
    captionsOf({
      segments: [
        { ...segment, startSeconds: 0, endSeconds: 2.5, text: 'Less <b>stress\n\n00:00 --> 00:09' },
        { ...segment, startSeconds: 3_725.25, endSeconds: 3_726, text: 'R&D' },
      ],
    }),
    'WEBVTT\n\n00:00:00.000 --> 00:00:02.500\nLess &lt;b&gt;stress 00:00 --&gt; 00:09\n\n01:02:05.250 --> 01:02:06.000\nR&amp;D\n',
  )
})
