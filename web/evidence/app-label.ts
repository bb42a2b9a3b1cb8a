import type { AppLabel, AppSummary } from './shapes.ts'

/** The label of an app of which a summary is known, for links and icons. */
export const appLabelOf = ({ platform, storeId, name, namedIn, developer, icon }: AppSummary): AppLabel => ({
  platform,
  storeId,
  name,
  namedIn,
  developer: developer.state === 'measured' ? developer.value : null,
  iconUrl: icon.state === 'measured' ? icon.value : null,
  catalogued: true,
})
