/** Where an app stands for a keyword, as the filter of its keywords has it. */
export const keywordStandings = ['ranked', 'absent', 'not-measured'] as const
