import type { StoreSettings } from './settings.ts'
import { supervise } from './supervisor.ts'

// The supervisor's users decide when it ends. A signal to a whole process group, as service managers send it, is meant for
// them.
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => {})

const [dataDir = '', settings = ''] = process.argv.slice(2)
await supervise(dataDir, JSON.parse(settings) as StoreSettings)
// A user that connects now finds nobody, and starts another.
process.exit()
