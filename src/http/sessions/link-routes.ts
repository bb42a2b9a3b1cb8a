import type { FastifyInstance } from 'fastify'
import { refuseOtherSites } from '../browser-check.ts'
import { addressOf } from '../forwarded.ts'
import { refuseOtherMethods } from '../operations.ts'
import { page } from '../reference/page.ts'
import type { SessionDoors } from './session-shown.ts'
import { pagePath, signIn, signInPage } from './signing-in.ts'

/**
 * A page with one button, which uses the link: previews and scanners of chats and mail follow links, but press no buttons.
 * The form posts to the address of the page.
 */
const linkPage = page({
  title: 'Sign in',
  styles: ['reference.css'],
  content: `<main class="text">
<h1>Sign in to Rivalscope</h1>
<p>The link works once, in one browser.</p>
<form method="post"><button type="submit" autofocus>Sign in</button></form>
</main>`,
})

const contentPolicy = [
  "default-src 'none'",
  "style-src 'self'",
  "img-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ')

interface OfLink {
  Params: { link: string }
}

/** One-time links that sign in with a key: `GET` shows a page and changes nothing, its `POST` signs in. */
export function linkRoutes(app: FastifyInstance, doors: SessionDoors): void {
  const { sessions, publicUrl } = doors
  const url = '/session/link/:link'
  app.get<OfLink>(url, async (request, reply) => {
    if (!(await sessions.isUsable(request.params.link, addressOf(request))))
      return reply.redirect(signInPage(publicUrl, 'link-used'), 303)
    return (
      reply
        .header('content-security-policy', contentPolicy)
        // The address holds the secret. With `no-referrer`, the form would not send its origin either.
        .header('referrer-policy', 'same-origin')
        .type('text/html; charset=utf-8')
        .send(linkPage)
    )
  })
  app.register((forms, _options, done) => {
    // The form has no fields, but a content type.
    forms.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: 1_024 },
      async () => undefined,
    )
    forms.post<OfLink>(
      url,
      { onRequest: async (request) => refuseOtherSites(request, publicUrl) },
      async (request, reply) => {
        const owner = await sessions.ownerOfLink(request.params.link, addressOf(request))
        if (!owner) return reply.redirect(signInPage(publicUrl, 'link-used'), 303)
        await signIn(owner, request, reply, doors)
        return reply.redirect(pagePath(publicUrl, '/'), 303)
      },
    )
    done()
  })
  refuseOtherMethods(app, url, ['GET', 'POST'])
}
