import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** Milliseconds that a connection is kept for a peer that has its answer: to read it, and to end what it still sends. */
const lingerMs = 2_000

/** Connections whose request has its answer and is still coming. */
const answered = new WeakSet<Socket>()

/**
 * Bounds what is read of bodies after their answer: most refusals do not wait for the body, and neither does a read. One that
 * ends soon leaves the connection to the next request; one that does not ends with it.
 */
export function boundUnreadBodies({ server }: FastifyInstance): void {
  server.on('request', (request, reply) => {
    // Before the engine looks what to do with the connection.
    reply.prependOnceListener('finish', () => {
      if (request.complete) return
      const { socket } = request
      // Closing at once, with something unread, would take the answer from a peer that is still sending.
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

/**
 * Says the last word, unless the peer has its answer, and leaves it a moment to read that: it may keep its end open for ever.
 */
export function closeSoon(socket: Socket, lastWord = ''): void {
  socket.end(answered.has(socket) ? '' : lastWord)
  setTimeout(() => socket.destroy(), lingerMs).unref()
}
