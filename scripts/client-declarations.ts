import { basename } from 'node:path'
import type TypeScript from 'typescript'
import { clientTypes } from './client-types.ts'

/** Type declarations of the client's files by name, with the types derived from the contract expanded. */
export async function declarationsOf(ts: typeof TypeScript, source: string): Promise<Map<string, string>> {
  const { options } = ts.convertCompilerOptionsFromJson(
    {
      target: 'es2024',
      lib: ['es2024', 'esnext.disposable', 'dom'],
      module: 'nodenext',
      types: [],
      allowImportingTsExtensions: true,
      resolveJsonModule: true,
      declaration: true,
      emitDeclarationOnly: true,
      strict: true,
    },
    source,
  )
  const program = ts.createProgram([`${source}client.ts`], options)
  const declarations = new Map<string, string>()
  for (const file of program.getSourceFiles())
    if (file.fileName.startsWith(source) && file.fileName.endsWith('.ts'))
      program.emit(file, (name, text) =>
        declarations.set(basename(name), text.replaceAll(/(from '\.\/[\w-]+)\.ts'/g, "$1.js'")),
      )
  declarations.set('operation-types.d.ts', await clientTypes())
  return declarations
}
