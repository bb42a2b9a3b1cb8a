import { Command } from '../../ui/Command.tsx'
import { Panel } from '../../ui/parts.tsx'

/** The other ways to the same evidence: keys for programs and agents, the reference, the document of the interface. */
export function Doors() {
  return (
    <>
      <Panel title="API keys" note="Made on the machine that runs Rivalscope; a key is shown once">
        <div className="stack">
          <p>A key that reads:</p>
          <Command text="rivalscope keys create --name reports --scopes context:read" />
          <p>A key that also writes, until a day:</p>
          <Command text="rivalscope keys create --name agent --scopes context:read,content:write --expires 2027-12-31" />
          <p>A link that signs in another browser, once:</p>
          <Command text="rivalscope keys link reports" />
          <p>All keys with their last use, and the end of one:</p>
          <Command text="rivalscope keys list" />
          <Command text="rivalscope keys revoke reports" />
        </div>
      </Panel>
      <Panel title="Programs and agents">
        <div className="stack">
          <p>
            <a href="/docs/reference">API reference</a> for every operation these pages use, and the same as{' '}
            <a href="/openapi.json">OpenAPI document</a>.
          </p>
          <p>Agents connect to this address over HTTP (Model Context Protocol), with a key:</p>
          <Command text={mcpSetUp()} />
        </div>
      </Panel>
    </>
  )
}

const mcpSetUp = () =>
  JSON.stringify(
    {
      mcpServers: {
        rivalscope: {
          type: 'http',
          url: `${location.origin}/mcp`,
          // biome-ignore lint/suspicious/noTemplateCurlyInString: agents fill it in from their environment
          headers: { Authorization: 'Bearer ${RIVALSCOPE_KEY}' },
        },
      },
    },
    undefined,
    2,
  )
