import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'

/** What a manifest says of itself. */
interface Manifest {
  apiVersion: string
  kind: string
}

type Model = new (manifest: Manifest) => { validate(): void }

/** Where the schemas are installed, which only this needs. */
const folder = new URL('../kubernetes/', import.meta.url)

const options: ts.CompilerOptions = {
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  types: [],
  target: ts.ScriptTarget.ESNext,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
}

/**
 * What is wrong with manifests by the schemas that Kubernetes publishes, of which kubernetes-models is made; empty where nothing is. Its
 * validation knows the forms of values, such as quantities, but passes fields that do not exist; those its types refuse.
 *
 * @throws where Kubernetes has no such kind, or its schemas cannot be installed
 */
export async function problemsOf(manifests: readonly Manifest[]): Promise<string[]> {
  execFileSync(fileURLToPath(new URL('../../scripts/install-tools', import.meta.url)), ['tests/kubernetes'])
  return [...(await unfitValues(manifests)), ...unknownFields(manifests)]
}

async function unfitValues(manifests: readonly Manifest[]): Promise<string[]> {
  const problems: string[] = []
  for (const manifest of manifests) {
    const file = new URL(`node_modules/kubernetes-models/${manifest.apiVersion}/index.js`, folder)
    const models: Record<string, Model | undefined> = await import(file.href)
    const Kind = models[manifest.kind]
    if (!Kind) throw new Error(`${manifest.apiVersion} of Kubernetes has no ${manifest.kind}`)
    try {
      new Kind(manifest).validate()
    } catch (error) {
      problems.push(`${manifest.kind}: ${error instanceof Error ? error.message : error}`)
    }
  }
  return problems
}

/** Each manifest as a constant of its type, in a module that is nowhere but here. */
function unknownFields(manifests: readonly Manifest[]): string[] {
  const file = fileURLToPath(new URL('manifests.ts', folder))
  const text = manifests
    .map(
      (manifest, at) =>
        `export const manifest${at}: import('kubernetes-models/${manifest.apiVersion}').I${manifest.kind} = ${JSON.stringify(manifest)}\n`,
    )
    .join('')
  const host = ts.createCompilerHost(options)
  const { getSourceFile, fileExists } = host
  host.fileExists = (name) => name === file || fileExists(name)
  host.getSourceFile = (name, ...more) =>
    name === file ? ts.createSourceFile(name, text, ts.ScriptTarget.ESNext) : getSourceFile(name, ...more)
  return ts
    .getPreEmitDiagnostics(ts.createProgram([file], options, host))
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '))
}
