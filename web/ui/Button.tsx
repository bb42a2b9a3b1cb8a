import { createLink } from '@tanstack/react-router'
import type { ComponentProps, ReactNode } from 'react'
import { Button as AriaButton, type ButtonProps } from 'react-aria-components'
import styles from './Button.module.css'

type Look = 'plain' | 'primary' | 'danger' | 'bare'

const classes = (look: Look, small: boolean) =>
  [styles.button, styles[look], small ? styles.small : ''].filter(Boolean).join(' ')

/** A button. `isPending` shows that its work is under way and keeps it from being pressed twice. */
export function Button({
  look = 'plain',
  small = false,
  icon,
  children,
  ...props
}: Omit<ButtonProps, 'className' | 'children' | 'style'> & {
  look?: Look
  small?: boolean
  icon?: ReactNode
  children?: ReactNode
}) {
  return (
    <AriaButton {...props} className={classes(look, small)}>
      {icon}
      {children}
      {props.isPending && <span className={styles.pending} aria-hidden="true" />}
    </AriaButton>
  )
}

/** A button that shows an icon alone; its name is read to those who cannot see it. */
export function IconButton({
  label,
  icon,
  ...props
}: Omit<ButtonProps, 'className' | 'children' | 'style'> & { label: string; icon: ReactNode }) {
  return (
    <AriaButton {...props} aria-label={label} className={`${styles.button} ${styles.bare} ${styles.icon}`}>
      {icon}
    </AriaButton>
  )
}

/** A link that looks like a button, with the properties of the router's own. */
export const LinkButton = createLink(
  ({ look = 'plain', small = false, ...props }: ComponentProps<'a'> & { look?: Look; small?: boolean }) => (
    <a {...props} className={classes(look, small)} />
  ),
)
