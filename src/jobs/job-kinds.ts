import type { JobKind } from './job-kind.ts'
import { adAnalysisJob } from './kinds/ad-analysis.ts'
import { adImportJob } from './kinds/ad-import.ts'
import { adTranscriptJob } from './kinds/ad-transcript.ts'
import { archiveMediaJob } from './kinds/archive-media.ts'
import { asoRefreshJob } from './kinds/aso-refresh.ts'
import { collectAppsJob } from './kinds/collect-apps.ts'
import { collectAskedJob } from './kinds/collect-asked.ts'
import { collectChartJob } from './kinds/collect-chart.ts'
import { collectLocalizationsJob } from './kinds/collect-localizations.ts'
import { collectPageJob } from './kinds/collect-page.ts'
import { collectPagesJob } from './kinds/collect-pages.ts'
import { collectSearchPagesJob } from './kinds/collect-search-pages.ts'
import { collectTermJob } from './kinds/collect-term.ts'
import { confirmMissedJob } from './kinds/confirm-missed.ts'
import { emergingDiscoveryJob } from './kinds/emerging-discovery.ts'
import { estimateRefreshJob } from './kinds/estimate-refresh.ts'
import { evaluateWatchesJob } from './kinds/evaluate-watches.ts'
import { fileImportJob } from './kinds/file-import.ts'
import { addAppJob } from './kinds/intake.ts'
import { keywordRefreshJob } from './kinds/keyword-refresh.ts'
import { packMonthJob } from './kinds/pack-month.ts'
import { removeOldJob } from './kinds/remove-old.ts'
import { renewReadingsJob } from './kinds/renew-readings.ts'
import { renewWordsJob } from './kinds/renew-words.ts'
import { scheduleKindFor } from './kinds/schedule.ts'
import { tellEventsJob } from './kinds/tell-events.ts'

const others: readonly JobKind[] = [
  collectChartJob,
  collectAppsJob,
  confirmMissedJob,
  collectPagesJob,
  collectPageJob,
  collectLocalizationsJob,
  collectSearchPagesJob,
  collectTermJob,
  collectAskedJob,
  addAppJob,
  emergingDiscoveryJob,
  estimateRefreshJob,
  asoRefreshJob,
  keywordRefreshJob,
  adImportJob,
  fileImportJob,
  archiveMediaJob,
  adTranscriptJob,
  adAnalysisJob,
  packMonthJob,
  removeOldJob,
  renewWordsJob,
  renewReadingsJob,
  evaluateWatchesJob,
  tellEventsJob,
]

/** The kind that adds the due jobs of all others each minute. */
export const scheduleJob = scheduleKindFor(others)

/** All kinds of job. Queues, workers, the schedule and docs/jobs.md are taken from this table. */
export const jobKinds: readonly JobKind[] = [scheduleJob, ...others]
