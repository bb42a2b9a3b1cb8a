import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { openFolder } from './files.ts'

/** Why there is no certificate to test with; false when there is one. */
export const noCertificate =
  spawnSync('openssl', ['version']).status === 0 ? false : 'openssl makes the certificate, and is not installed'

/** A key and a self-signed certificate, in PEM. */
export function untrustedCertificate(): { key: string; cert: string } {
  using folder = openFolder()
  const [key, cert] = [join(folder.path, 'key.pem'), join(folder.path, 'cert.pem')]
  const how = 'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 1 -subj /CN=localhost'
  const { status } = spawnSync('openssl', [...how.split(' '), '-keyout', key, '-out', cert])
  if (status !== 0) throw new Error('openssl made no certificate')
  return { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') }
}
