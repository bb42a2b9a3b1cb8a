import { type AddressInfo, createServer, type Socket } from 'node:net'
import PostalMime, { decodeWords } from 'postal-mime'

/** A message as it arrived. */
export interface ArrivedMail {
  from: string
  to: string
  /** Header fields by lower-case name, unfolded and with encoded words decoded. */
  headers: Record<string, string>
  /** The decoded parts, by content type. */
  parts: Record<string, string>
}

/** What the server answers to a command; the usual answer where it says nothing. */
export type Answer = (command: string) => string | undefined

/** A mail server that keeps what it takes, and refuses as it is told. */
export interface SmtpServer extends AsyncDisposable {
  /** As `RIVALSCOPE_SMTP_URL`. */
  address: string
  arrived: ArrivedMail[]
  /** Commands of all connections. */
  commands: string[]
  answers(answer: Answer): void
}

export async function openSmtpServer(): Promise<SmtpServer> {
  const arrived: ArrivedMail[] = []
  const commands: string[] = []
  const sockets = new Set<Socket>()
  let answer: Answer = () => undefined
  const server = createServer((socket) => {
    sockets.add(socket.setEncoding('latin1').on('error', () => {}))
    socket.on('close', () => sockets.delete(socket))
    // It breaks off where either end hangs up.
    serve(socket).catch(() => {})
  })

  async function serve(socket: Socket): Promise<void> {
    socket.write('220 mail.example.com ESMTP\r\n')
    const envelope = { from: '', to: '' }
    let waiting = ''
    let isData = false
    for await (const text of socket) {
      waiting += text
      for (;;) {
        const end = isData ? '\r\n.\r\n' : '\r\n'
        const at = waiting.indexOf(end)
        if (at === -1) break
        const taken = waiting.slice(0, at)
        waiting = waiting.slice(at + end.length)
        const command: string = isData ? 'end of data' : taken
        commands.push(command)
        const said = answer(command)
        if (said === undefined && isData) arrived.push({ ...envelope, ...(await readMail(taken)) })
        if (/^MAIL FROM:/i.test(command)) envelope.from = /<(.*?)>/.exec(command)?.[1] ?? ''
        if (/^RCPT TO:/i.test(command)) envelope.to = /<(.*?)>/.exec(command)?.[1] ?? ''
        isData = command === 'DATA' && said === undefined
        socket.write(`${said ?? usual(command)}\r\n`)
      }
    }
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    address: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    arrived,
    commands,
    answers(next) {
      arrived.length = 0
      commands.length = 0
      answer = next
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function usual(command: string): string {
  if (/^EHLO/i.test(command)) return '250-mail.example.com\r\n250 8BITMIME'
  if (command === 'STARTTLS') return '502 5.5.1 No TLS here'
  if (command === 'DATA') return '354 Go on'
  return /^QUIT/i.test(command) ? '221 Bye' : '250 Fine'
}

/** Reads a message of text and HTML beside each other, as it came over the wire. */
async function readMail(raw: string): Promise<Pick<ArrivedMail, 'headers' | 'parts'>> {
  const message = Buffer.from(raw.replaceAll(/^\.\./gm, '.'), 'latin1')
  const { headers, text = '', html = '' } = await PostalMime.parse(message)
  return {
    headers: Object.fromEntries(headers.map(({ key, value }) => [key, decodeWords(value)])),
    parts: { 'text/plain': text.replaceAll('\n', '\r\n'), 'text/html': html },
  }
}
