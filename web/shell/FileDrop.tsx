import { lazy, Suspense, useEffect, useState, useSyncExternalStore } from 'react'
import styles from './shell.module.css'

const ImportFiles = lazy(() => import('./ImportFiles.tsx'))

/** Files that were dropped on a page or chosen; each time a new list. */
let chosen: readonly File[] = []
const listeners = new Set<() => void>()

/** Opens the import of files over the page. */
export function importFiles(files: readonly File[]): void {
  chosen = files
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

const holdsFiles = ({ dataTransfer }: DragEvent) => dataTransfer?.types.includes('Files') === true

/** Takes files that are dropped anywhere on a page, and shows what they are. */
export function FileDrop() {
  const files = useSyncExternalStore(subscribe, () => chosen)
  const [over, setOver] = useState(false)
  useEffect(() => {
    const stopping = new AbortController()
    const { signal } = stopping
    // Without this the browser would leave the page and open the file.
    const onOver = (event: DragEvent) => {
      if (!holdsFiles(event)) return
      event.preventDefault()
      setOver(true)
    }
    const onLeave = (event: DragEvent) => {
      if (event.relatedTarget === null) setOver(false)
    }
    const onDrop = (event: DragEvent) => {
      if (!holdsFiles(event)) return
      event.preventDefault()
      setOver(false)
      importFiles([...(event.dataTransfer?.files ?? [])])
    }
    window.addEventListener('dragover', onOver, { signal })
    window.addEventListener('dragleave', onLeave, { signal })
    window.addEventListener('drop', onDrop, { signal })
    return () => stopping.abort()
  }, [])
  return (
    <>
      {over && (
        <div className={`${styles.dropHere} stack center middle`} aria-hidden="true">
          <p className="large bold raised pad rounded">Drop files to preview and import them</p>
        </div>
      )}
      {files.length > 0 && (
        <Suspense>
          <ImportFiles key={keyOf(files)} files={files} onClose={() => importFiles([])} />
        </Suspense>
      )}
    </>
  )
}

/** Of each list of files that was chosen. */
const keys = new WeakMap<readonly File[], number>()
let lists = 0
function keyOf(files: readonly File[]): number {
  const known = keys.get(files) ?? ++lists
  keys.set(files, known)
  return known
}
