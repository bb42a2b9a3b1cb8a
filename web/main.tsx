import './tokens.css'
import './base.css'
import './layout.css'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { createPageRouter } from './router.tsx'
import { showTheme } from './shell/theme-choice.ts'

showTheme()

const queries = new QueryClient({
  defaultOptions: {
    queries: {
      // The client has tried again already, and what changed meanwhile is told by the markers of api/live.ts.
      retry: false,
      staleTime: 60_000,
      gcTime: 10 * 60_000,
      networkMode: 'always',
    },
    mutations: { retry: false, networkMode: 'always' },
  },
})

const root = document.getElementById('root')
if (!root) throw new Error('The page has no root.')
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <RouterProvider router={createPageRouter(queries)} />
    </QueryClientProvider>
  </StrictMode>,
)
