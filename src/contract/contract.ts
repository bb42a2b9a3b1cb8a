import { asoOperations } from './aso.ts'
import { chartOperations } from './charts.ts'
import { competitorOperations } from './competitors.ts'
import type { Contract } from './operation.ts'
import { organicOperations } from './organic.ts'
import { paidAdOperations } from './paid-ads.ts'

/** The operations by area, in the order the reference shows them. */
export const areas = {
  competitors: {
    title: 'Competitors',
    description:
      'Apps of the App Store: their records, media, estimates and likenesses, and how to ask for more.',
    operations: competitorOperations,
  },
  charts: {
    title: 'Charts',
    description: "Apple's charts as they were captured, and the dated ranks of one app.",
    operations: chartOperations,
  },
  organic: {
    title: 'Organic content',
    description: 'Posts on social networks that nobody paid to show, and the ones this account saved.',
    operations: organicOperations,
  },
  'paid-ads': {
    title: 'Paid ads',
    description: 'Ads of the public ad libraries, with transcripts and analyses, and how they are brought in.',
    operations: paidAdOperations,
  },
  aso: {
    title: 'ASO workstation',
    description: 'The apps and keywords this account tracks, and what can be learnt from stored result pages.',
    operations: asoOperations,
  },
} as const satisfies Record<string, { title: string; description: string; operations: Contract }>

/** All 45 operations by tool name. This table is the authority; every door follows from it. */
export const contract = {
  ...competitorOperations,
  ...chartOperations,
  ...organicOperations,
  ...paidAdOperations,
  ...asoOperations,
} as const satisfies Contract

export type Tool = keyof typeof contract
