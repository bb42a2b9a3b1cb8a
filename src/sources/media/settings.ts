import { z } from 'zod'
import { allSuppliers, supplierRow } from '../../vocabulary/suppliers.ts'

/** Hosts from which the networks and stores serve media, with their subdomains. As of 2026. */
export const mediaHosts = allSuppliers.flatMap((supplier) => {
  const { signedMediaHosts = [], mediaHosts = [] } = supplierRow(supplier)
  return [...signedMediaHosts, ...mediaHosts]
})

const Host = z
  .string()
  .toLowerCase()
  .regex(
    /^([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z][a-z0-9-]*[a-z0-9]$/,
    'must be the name of a host, such as fbcdn.net',
  )

const megabyte = 1024 * 1024

/** How media are fetched. */
export const MediaFetching = z.strictObject({
  /** Allowed hosts. A name includes its subdomains. */
  hosts: z.array(Host).default(mediaHosts),
  /** Limit for one picture or video. */
  maxBytes: z
    .int()
    .min(1_000)
    .max(4_096 * megabyte)
    .default(200 * megabyte),
  /** Limit for one picture or video, up to its last byte. */
  timeoutSeconds: z.number().positive().max(3_600).default(300),
})

export type MediaFetching = z.output<typeof MediaFetching>
