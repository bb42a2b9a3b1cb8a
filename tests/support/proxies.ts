import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { Agent } from 'node:https'
import { join } from 'node:path'
import { connect } from 'node:tls'
import { fileURLToPath } from 'node:url'
import { untrustedCertificate } from './certificate.ts'
import { type Folder, openFolder } from './files.ts'
import { until } from './until.ts'

/** A proxy on loopback that speaks TLS. It ends, with its files, by its disposal. */
interface Proxy extends AsyncDisposable {
  /** Connects to it, and believes its certificate. */
  agent: Agent
}

/** Starts a proxy as docs/behind-a-proxy.md has it, with other names: `https://localhost:<port>` for what is at `upstream`. */
export type OpenProxy = (port: number, upstream: string) => Promise<Proxy>

/** A block of code of docs/behind-a-proxy.md, with each text in it put in place of another. */
function documented(language: string, changes: [from: string, to: string][]): string {
  const page = readFileSync(fileURLToPath(new URL('../../docs/behind-a-proxy.md', import.meta.url)), 'utf8')
  let [, block = ''] = new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, 's').exec(page) ?? []
  for (const [from, to] of changes) {
    if (!block.includes(from)) throw new Error(`docs/behind-a-proxy.md has no ${from} for ${language}`)
    block = block.replaceAll(from, to)
  }
  return block
}

export const openNginx: OpenProxy = async (port, upstream) => {
  const folder = openFolder()
  const { key, cert } = untrustedCertificate()
  const server = documented('nginx', [
    ['listen 443 ssl', `listen 127.0.0.1:${port} ssl`],
    ['server_name rivalscope.example.com', 'server_name localhost'],
    ['/etc/ssl/rivalscope.example.com.pem', folder.write('cert.pem', cert)],
    ['/etc/ssl/rivalscope.example.com.key', folder.write('key.pem', key)],
    ['http://127.0.0.1:8787', upstream],
  ])
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder.path}/${name};`,
  )
  const user = process.getuid?.() === 0 ? 'root' : 'nobody'
  const file = folder.write(
    'nginx.conf',
    `daemon off; pid ${folder.path}/pid; error_log stderr; user ${user}; events {}
     http { access_log off; ${temporary.join(' ')} ${server} }`,
  )
  const end = await start('nginx', ['-c', file, '-p', folder.path, '-e', 'stderr'], port, folder)
  // The certificate has a name that is not read any more.
  const agent = new Agent({ ca: cert, checkServerIdentity: () => undefined })
  return { agent, [Symbol.asyncDispose]: end }
}

/** Its certificates are from an authority of its own, made in the folder and made known to nobody else. */
export const openCaddy: OpenProxy = async (port, upstream) => {
  const folder = openFolder()
  const site = documented('caddyfile', [
    ['rivalscope.example.com', `https://localhost:${port}`],
    ['127.0.0.1:8787', new URL(upstream).host],
  ])
  const file = folder.write(
    'Caddyfile',
    `{
      admin off
      default_bind 127.0.0.1
      auto_https disable_redirects
      skip_install_trust
      storage file_system ${folder.path}
      servers {
        protocols h1 h2
      }
    }
    ${site}`,
  )
  const end = await start('caddy', ['run', '--adapter', 'caddyfile', '--config', file], port, folder)
  const ca = readFileSync(join(folder.path, 'pki/authorities/local/root.crt'))
  return { agent: new Agent({ ca }), [Symbol.asyncDispose]: end }
}

/** Starts a program whose home is the folder, and waits until it speaks TLS. @returns what ends it and removes the folder */
async function start(
  program: string,
  words: string[],
  port: number,
  folder: Folder,
): Promise<() => Promise<void>> {
  const child = spawn(program, words, {
    stdio: 'ignore',
    env: { ...process.env, HOME: folder.path, XDG_CONFIG_HOME: folder.path, XDG_DATA_HOME: folder.path },
  })
  const closed = once(child, 'close')
  await until(() => speaksTls(port), Boolean)
  return async () => {
    child.kill()
    await closed
    folder[Symbol.dispose]()
  }
}

/** A proxy may listen before it has its certificate. */
async function speaksTls(port: number): Promise<boolean> {
  const socket = connect({ host: '127.0.0.1', port, servername: 'localhost', rejectUnauthorized: false })
  const answers = await once(socket, 'secureConnect').then(
    () => true,
    () => false,
  )
  socket.destroy()
  return answers
}
