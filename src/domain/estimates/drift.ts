/**
 * How far an app moves in some days, as the variance of the logarithm of its downloads or revenue a day. Read off the ranks of 20
 * charts of 2025 and 2026 (Finance in Japan over a year, apps and games in the United States, China and Japan over 18 days), at a
 * slope of 0.8, apps that left counted at twice the depth: within a week most of it has happened, since apps come back. The range
 * held 80 to 90 % of moves in Japan and 75 to 86 % in the others, from one day to ninety, which is as far as was looked; it was
 * not held against other charts. Beyond, that it grows with the days is an assumption.
 */
export function driftVariance(days: number): number {
  return settled * (1 - Math.exp(-days / settlingDays)) * Math.max(1, (days / lookedAtDays) ** 2)
}

const settled = 0.2
const settlingDays = 5
const lookedAtDays = 90

/** So many days apart a rank alone says what a day has, and with ratings beside it so many. */
export const longestDrift = { alone: lookedAtDays, withRatings: 365 }
