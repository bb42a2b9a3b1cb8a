import type { ReactNode } from 'react'
import {
  Dialog as AriaDialog,
  Menu as AriaMenu,
  DialogTrigger,
  Heading,
  MenuItem,
  MenuTrigger,
  Modal,
  ModalOverlay,
  Popover,
  Text,
  UNSTABLE_Toast as Toast,
  UNSTABLE_ToastContent as ToastContent,
  UNSTABLE_ToastRegion as ToastRegion,
} from 'react-aria-components'
import { notices } from '../api/notices.ts'
import { Button, IconButton } from './Button.tsx'
import { X } from './icons.ts'
import styles from './overlays.module.css'

/** A dialog over the page. `open` and `onOpenChange` control it, or `trigger` opens it. */
export function Dialog({
  title,
  trigger,
  open,
  onOpenChange,
  wide = false,
  fixed = false,
  children,
}: {
  title: string
  trigger?: ReactNode
  open?: boolean
  onOpenChange?: (open: boolean) => void
  wide?: boolean
  /** Cannot be dismissed: something has to be decided. */
  fixed?: boolean
  children: ReactNode | ((close: () => void) => ReactNode)
}) {
  const control = {
    ...(open === undefined ? {} : { isOpen: open }),
    ...(onOpenChange ? { onOpenChange } : {}),
  }
  const overlay = (
    <ModalOverlay
      className={styles.scrim ?? ''}
      isDismissable={!fixed}
      isKeyboardDismissDisabled={fixed}
      {...(trigger ? {} : control)}
    >
      <Modal className={`${styles.modal} raised ${wide ? styles.wide : ''}`}>
        <AriaDialog className={`${styles.dialog} stack gap-4`}>
          {({ close }) => (
            <>
              <header className="row nowrap between gap-3">
                <Heading slot="title" level={2} className="anywhere">
                  {title}
                </Heading>
                {!fixed && (
                  <IconButton label="Close" icon={<X size={16} aria-hidden="true" />} onPress={close} />
                )}
              </header>
              {typeof children === 'function' ? children(close) : children}
            </>
          )}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  )
  return trigger ? (
    <DialogTrigger {...control}>
      {trigger}
      {overlay}
    </DialogTrigger>
  ) : (
    overlay
  )
}

export interface MenuEntry {
  id: string
  name: string
  /** An address of this site, or something to do. */
  href?: string
  onAction?: () => void
}

export function Menu({
  trigger,
  entries,
  label,
}: {
  trigger: ReactNode
  entries: readonly MenuEntry[]
  label: string
}) {
  return (
    <MenuTrigger>
      {trigger}
      <Popover className="raised" style={{ minWidth: 180, padding: 'var(--space-1)' }}>
        <AriaMenu style={{ outline: 0 }} aria-label={label} items={entries}>
          {({ id, name, href, onAction }) => (
            <MenuItem
              id={id}
              className="option"
              textValue={name}
              {...(href ? { href } : {})}
              {...(onAction ? { onAction } : {})}
            >
              {name}
            </MenuItem>
          )}
        </AriaMenu>
      </Popover>
    </MenuTrigger>
  )
}

/** Notices of what was done and what failed, at the corner of the screen. */
export function Notices() {
  return (
    <ToastRegion queue={notices} className={`${styles.notices} stack gap-2`}>
      {({ toast }) => {
        const { kind, text, advice, requestId, undo, repeat, next } = toast.content
        const action = undo ? { name: 'Undo', act: undo } : repeat ? { name: 'Try again', act: repeat } : next
        return (
          <Toast
            toast={toast}
            className={`${styles.notice} row nowrap top raised ${kind === 'failed' ? styles.failed : ''}`}
          >
            <ToastContent className="fills anywhere">
              <Text slot="title" elementType="strong">
                {kind === 'failed' && 'Failed: '}
                {text}
              </Text>
              {advice && <p>{advice}</p>}
              {requestId && (
                <p className="quiet">
                  Request ID <code>{requestId}</code>
                </p>
              )}
            </ToastContent>
            {action && (
              <Button
                small
                onPress={() => {
                  action.act()
                  notices.close(toast.key)
                }}
              >
                {action.name}
              </Button>
            )}
            <IconButton slot="close" label="Close" icon={<X size={14} aria-hidden="true" />} />
          </Toast>
        )
      }}
    </ToastRegion>
  )
}
