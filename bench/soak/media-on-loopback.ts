import dns from 'node:dns/promises'
import http from 'node:http'
import https from 'node:https'
import { syncBuiltinESMExports } from 'node:module'

/**
 * Loaded before a worker of the soak: the hosts of media are all found at one public address, and what is sent there arrives at
 * a server of this machine. Every rule about addresses holds as usual.
 */
const port = Number(process.env.SOAK_MEDIA_PORT)

Object.assign(dns, { lookup: async () => [{ address: '93.184.216.34', family: 4 }] })
Object.assign(https, {
  request: (
    { path, headers, signal }: https.RequestOptions,
    answered: (answer: http.IncomingMessage) => void,
  ) => http.request({ host: '127.0.0.1', port, path, headers, signal }, answered),
})
syncBuiltinESMExports()
