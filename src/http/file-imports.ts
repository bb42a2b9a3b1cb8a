import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '../api/caller.ts'
import { type FileImports, fileTooLarge, largestFile, type SentFile } from '../api/file-imports.ts'
import { storeFailuresAsProblems } from '../api/problem.ts'
import { admitCaller, identifyCaller, type OperationDoors, refuseOtherMethods } from './operations.ts'
import { parseQuery } from './text-input.ts'

/**
 * `/file-imports`: files that people drop on the pages, recognised, previewed and imported as `rivalscope import` does it, and the imports
 * of the account. Not part of the contract: a file is no JSON, and programs have the command (docs/decisions/0115-files-by-drop.md).
 */
export function fileImportRoutes(app: FastifyInstance, doors: OperationDoors, files: FileImports): void {
  const config = { tool: 'file-imports' }
  const admitted = async (request: FastifyRequest, reply: FastifyReply) => {
    reply.headers({ 'cache-control': 'private, no-cache', vary: 'Authorization, Cookie' })
    const caller = await identifyCaller(request, doors)
    await admitCaller(caller, request, reply, doors)
    const reads = request.method === 'GET' || request.method === 'HEAD'
    doors.door.admit(reads ? 'admin_get_paid_ad_import' : 'admin_import_paid_ads', caller)
  }
  const read = { config, onRequest: admitted }
  const send = {
    config,
    onRequest: async (request: FastifyRequest, reply: FastifyReply) => {
      await admitted(request, reply)
      refuseLarge(request)
    },
  }
  app.get('/file-imports', read, async (request) => ({
    items: await storeFailuresAsProblems(() => files.list(callerOf(request))),
    largestFile,
  }))
  app.post('/file-imports/calibration', { ...read, bodyLimit: 1024 }, async (request) =>
    storeFailuresAsProblems(() => files.calibrate(callerOf(request))),
  )
  app.register((sending, _options, done) => {
    sending.removeAllContentTypeParsers()
    sending.addContentTypeParser('application/octet-stream', (_request, content, parsed) =>
      parsed(null, content),
    )
    sending.post('/file-imports/preview', send, async (request) =>
      storeFailuresAsProblems(() => files.preview(callerOf(request), sentIn(request))),
    )
    sending.post('/file-imports', send, async (request, reply) => {
      const started = await storeFailuresAsProblems(() => files.start(callerOf(request), sentIn(request)))
      return reply.status(202).send(started)
    })
    done()
  })
  refuseOtherMethods(app, '/file-imports', ['GET', 'POST'])
  refuseOtherMethods(app, '/file-imports/preview', ['POST'])
  refuseOtherMethods(app, '/file-imports/calibration', ['POST'])
}

const callerOf = (request: FastifyRequest) => request.caller as Caller

const sentIn = ({ url, body }: FastifyRequest): SentFile => ({
  said: parseQuery(url),
  content: body as Readable | undefined,
})

/** Refuses before it arrives what says that it is too large; any other is counted as it arrives. */
function refuseLarge({ headers }: FastifyRequest): void {
  if (Number(headers['content-length'] ?? 0) > largestFile) throw fileTooLarge()
}
