/** Apple's genre of all apps: its charts are the overall ones. */
export const overallCategory = '36'
/** What it is called where no reply names it. */
export const overallName = 'All apps'
