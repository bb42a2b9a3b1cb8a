/**
 * How much an app moves in some days, as the variance of the logarithm of its downloads or revenue per day. Fitted to the
 * ranks of 20 charts of 2025 and 2026 (Finance in Japan over a year, apps and games in the United States, China and Japan
 * over 18 days), at a slope of 0.8, apps that left counted at twice the depth: most of the movement happens within a week,
 * since apps come back. The range covered 80 to 90 % of moves in Japan and 75 to 86 % in the others, from one day to ninety,
 * the longest measured; it was not tested on other charts. Growth beyond ninety days is an assumption.
 */
export function driftVariance(days: number): number {
  return settled * (1 - Math.exp(-days / settlingDays)) * Math.max(1, (days / lookedAtDays) ** 2)
}

const settled = 0.2
const settlingDays = 5
const lookedAtDays = 90

/** Maximum days between a rank and the day it is used for: alone, and with ratings beside it. */
export const longestDrift = { alone: lookedAtDays, withRatings: 365 }
