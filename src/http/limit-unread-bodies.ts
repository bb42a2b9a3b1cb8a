import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** Milliseconds that a connection stays open after its answer: for the peer to read it, and to finish sending. */
const lingerMs = 2_000

/** Connections whose request was answered and is still arriving. */
const answered = new WeakSet<Socket>()

/**
 * Limits how much of a body is read after its answer: most refusals and all reads do not wait for the body. When the body
 * ends soon, the connection is reused; otherwise it is closed.
 */
export function limitUnreadBodies({ server }: FastifyInstance): void {
  server.on('request', (request, reply) => {
    // Runs before the engine decides what to do with the connection.
    reply.prependOnceListener('finish', () => {
      if (request.complete) return
      const { socket } = request
      // Closing at once, with unread data, would discard the answer for a peer that is still sending.
      socket.destroySoon = () => closeSoon(socket)
      answered.add(socket)
      const timer = setTimeout(() => socket.destroy(), lingerMs).unref()
      request.once('end', () => {
        clearTimeout(timer)
        answered.delete(socket)
      })
    })
  })
}

/** Ends the answer, if it is not sent yet, and gives the peer a moment to read it: the peer might keep its side open for ever. */
export function closeSoon(socket: Socket, lastWord = ''): void {
  socket.end(answered.has(socket) ? '' : lastWord)
  setTimeout(() => socket.destroy(), lingerMs).unref()
}
