import { registerHooks } from 'node:module'
import { relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { type CompiledQuery, type Kysely, sql } from 'kysely'
import ts from 'typescript'

/** A statement of the source that declares the type of its rows. */
export interface Statement {
  /** Its file and what it stands in, `src/storage/ids.ts nextId`. */
  place: string
  row: ts.Type
  /**
   * Its text, with made-up values for parameters of the functions around it, or with what these are called with elsewhere.
   * @throws where it cannot be made without running the service
   */
  text: (values: Values) => string
}

export type Values = 'made-up' | 'of calls'

const root = fileURLToPath(new URL('../../', import.meta.url))
const isOfSource = (fileName: string) =>
  ['src', 'research'].some((folder) => fileName.startsWith(`${root}${folder}/`))

/** Modules are loaded a second time under this query, with a function that evaluates expressions in their scope. */
const query = '?statements'

type Local = ts.VariableDeclaration | ts.ParameterDeclaration | ts.BindingElement | ts.FunctionDeclaration

/**
 * The statements of `src` and `research` whose rows have a declared type: templates of Kysely's `sql`, and texts for `query` of the driver.
 *
 * Their texts are made by evaluating the template itself, in the scope of its module. Local names of the functions around it
 * have the values of their initialisers where these can be evaluated, else made-up ones of their types. Made-up values become
 * parameters of the statement, or choose one of its forms.
 */
export async function typedStatements(db: Kysely<unknown>): Promise<[Statement[], ts.TypeChecker]> {
  const program = programOfSource()
  const checker = program.getTypeChecker()
  const source = program.getSourceFiles().filter(({ fileName }) => isOfSource(fileName))
  const files = source.filter(({ text }) => /\bsql[<`]|\.query</.test(text))
  const constants = constantsOf(source, new Set(files), checker)
  const calls = callsOf(files, checker)
  const scopes = await scopesOf([...files, ...constants.values().map((name) => name.getSourceFile())])
  const evaluators = {
    'made-up': new Evaluator(checker, calls, constants, scopes, 'made-up'),
    'of calls': new Evaluator(checker, calls, constants, scopes, 'of calls'),
  }
  const statements: Statement[] = []
  for (const file of files)
    visit(file, (node) => {
      const found = typedStatement(node, checker)
      if (!found) return
      const text = (values: Values) => textOf(evaluators[values].valueOf(found.text), db)
      statements.push({ place: placeOf(node, file), row: found.row, text })
    })
  return [statements, checker]
}

function programOfSource(): ts.Program {
  const config = ts.getParsedCommandLineOfConfigFile(
    `${root}tsconfig.json`,
    { incremental: false },
    {
      ...ts.sys,
      onUnRecoverableConfigFileDiagnostic: ({ messageText }) => {
        throw new Error(String(messageText))
      },
    },
  )
  const names = config?.fileNames.filter((name) => isOfSource(name) && !name.endsWith('.test.ts'))
  return ts.createProgram(names ?? [], config?.options ?? {})
}

type Scope = (text: string) => unknown

/** Constants of modules by the interface they are declared to have, of those beside statements: the kinds of creatives. */
function constantsOf(
  source: readonly ts.SourceFile[],
  besides: ReadonlySet<ts.SourceFile>,
  checker: ts.TypeChecker,
): Map<ts.Symbol, ts.Identifier> {
  const constants = new Map<ts.Symbol, ts.Identifier>()
  for (const file of source)
    for (const statement of file.statements.filter(ts.isVariableStatement))
      for (const { name, type } of statement.declarationList.declarations) {
        const symbol = type && checker.getTypeFromTypeNode(type).symbol
        const [declared] = symbol?.declarations ?? []
        if (!symbol || !declared || !ts.isInterfaceDeclaration(declared) || !ts.isIdentifier(name)) continue
        if (besides.has(declared.getSourceFile()) && !constants.has(symbol)) constants.set(symbol, name)
      }
  return constants
}

/** Where functions are called, by the function. */
function callsOf(
  files: readonly ts.SourceFile[],
  checker: ts.TypeChecker,
): Map<ts.Symbol, ts.CallExpression[]> {
  const calls = new Map<ts.Symbol, ts.CallExpression[]>()
  for (const file of files)
    visit(file, (node) => {
      if (!ts.isCallExpression(node) || !ts.isIdentifier(node.expression)) return
      const symbol = checker.getSymbolAtLocation(node.expression)
      if (!symbol) return
      const called = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol
      calls.set(called, [...(calls.get(called) ?? []), node])
    })
  return calls
}

/** Functions that evaluate expressions in the scopes of modules. */
async function scopesOf(files: readonly ts.SourceFile[]): Promise<Map<ts.SourceFile, Scope>> {
  const hooks = registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context)
      if (!url.endsWith(query)) return loaded
      return { ...loaded, source: `${loaded.source}\nexport const $evaluate = ($text) => eval($text)` }
    },
  })
  try {
    const scopes = new Map<ts.SourceFile, Scope>()
    for (const file of files) {
      const module: { $evaluate: Scope } = await import(`${pathToFileURL(file.fileName)}${query}`)
      scopes.set(file, module.$evaluate)
    }
    return scopes
  } finally {
    hooks.deregister()
  }
}

function visit(node: ts.Node, see: (node: ts.Node) => void): void {
  see(node)
  ts.forEachChild(node, (child) => visit(child, see))
}

/** The expression that makes a statement's text, and the type of its rows; undefined for fragments and everything else. */
function typedStatement(
  node: ts.Node,
  checker: ts.TypeChecker,
): { text: ts.Expression; row: ts.Type } | undefined {
  if (ts.isTaggedTemplateExpression(node) && node.tag.getText() === 'sql') {
    const row = checker.getTypeArguments(checker.getTypeAtLocation(node) as ts.TypeReference)[0]
    return row && isRow(row, checker) ? { text: node, row } : undefined
  }
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return undefined
  const [declared] = node.typeArguments ?? []
  const [text] = node.arguments
  if (node.expression.name.text !== 'query' || !declared || !text) return undefined
  return { text, row: checker.getTypeFromTypeNode(declared) }
}

/** Whether a type has fields. Others are of fragments: a value within a statement. */
const isRow = (type: ts.Type, checker: ts.TypeChecker): boolean =>
  (type.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection | ts.TypeFlags.Union)) !== 0 &&
  (type.isUnion()
    ? type.types.every((one) => isRow(one, checker))
    : !checker.isArrayType(type) && !/^(?:Date|Buffer|Uint8Array)$/.test(type.symbol?.name ?? ''))

function placeOf(node: ts.Node, file: ts.SourceFile): string {
  let name = ''
  for (let at: ts.Node | undefined = node; at; at = at.parent)
    if ((ts.isFunctionDeclaration(at) || ts.isMethodDeclaration(at) || isOfModule(at)) && at.name)
      name = at.name.getText()
  return `${relative(root, file.fileName)} ${name}`
}

const isOfModule = (node: ts.Node): node is ts.VariableDeclaration =>
  ts.isVariableDeclaration(node) && ts.isSourceFile(node.parent.parent.parent)

function textOf(value: unknown, db: Kysely<unknown>): string {
  if (typeof value === 'string') return value
  return (value as { compile(db: Kysely<unknown>): CompiledQuery }).compile(db).sql
}

/** Evaluates expressions of the source outside of the functions they stand in. */
class Evaluator {
  readonly #checker: ts.TypeChecker
  readonly #constants: ReadonlyMap<ts.Symbol, ts.Identifier>
  readonly #scopes: ReadonlyMap<ts.SourceFile, Scope>
  readonly #preferred: Values
  readonly #calls: ReadonlyMap<ts.Symbol, ts.CallExpression[]>
  readonly #values = new Map<Local, unknown>()

  constructor(
    checker: ts.TypeChecker,
    calls: ReadonlyMap<ts.Symbol, ts.CallExpression[]>,
    constants: ReadonlyMap<ts.Symbol, ts.Identifier>,
    scopes: ReadonlyMap<ts.SourceFile, Scope>,
    preferred: Values,
  ) {
    this.#checker = checker
    this.#constants = constants
    this.#scopes = scopes
    this.#preferred = preferred
    this.#calls = calls
  }

  valueOf(node: ts.Node): unknown {
    const locals = new Map<string, Local>()
    this.#findLocals(node, node, locals)
    const scope = this.#scopes.get(node.getSourceFile())
    if (!scope) throw new Error(`${node.getSourceFile().fileName} has no statements.`)
    const text = ts.transpile(`(${node.getText()})`, {
      target: ts.ScriptTarget.ESNext,
      module: ts.ModuleKind.ESNext,
    })
    const evaluate = scope(`(${[...locals.keys()].join(', ')}) => ${text}`) as (...values: unknown[]) => unknown
    return evaluate(...locals.values().map((local) => this.#valueOfLocal(local)))
  }

  /** Names within a node that are declared around it, in a function. */
  #findLocals(node: ts.Node, within: ts.Node, found: Map<string, Local>): void {
    if (ts.isTypeNode(node)) return
    if (ts.isIdentifier(node)) {
      const symbol = ts.isShorthandPropertyAssignment(node.parent)
        ? this.#checker.getShorthandAssignmentValueSymbol(node.parent)
        : this.#checker.getSymbolAtLocation(node)
      const declaration = symbol?.valueDeclaration
      if (declaration && isLocal(declaration) && !ts.findAncestor(declaration, (one) => one === within))
        found.set(node.text, declaration)
    }
    ts.forEachChild(node, (child) => this.#findLocals(child, within, found))
  }

  #valueOfLocal(local: Local): unknown {
    if (!this.#values.has(local)) this.#values.set(local, this.#makeValue(local))
    return this.#values.get(local)
  }

  #makeValue(local: Local): unknown {
    if (ts.isFunctionDeclaration(local)) return this.valueOf(local)
    const type = this.#checker.getTypeAtLocation(local)
    if (ts.isBindingElement(local) && !local.dotDotDotToken) {
      const whole = this.#valueOfLocal(local.parent.parent) as Record<string | number, unknown> | undefined
      const key = ts.isArrayBindingPattern(local.parent)
        ? local.parent.elements.indexOf(local)
        : (local.propertyName ?? local.name).getText()
      return whole?.[key] ?? (local.initializer ? this.valueOf(local.initializer) : this.#sampleOf(type))
    }
    const isCalledWith = this.#preferred === 'of calls' || this.#holdsFragments(type)
    const sources = [
      ...(ts.isParameter(local) && isCalledWith ? this.#argumentsFor(local) : []),
      ...(local.initializer ? formsOf(local.initializer) : []),
    ]
    for (const source of sources)
      try {
        return this.valueOf(source)
      } catch {
        // Such as an initialiser that waits for rows.
      }
    return this.#sampleOf(type)
  }

  /** What a function is called with for one of its parameters. */
  #argumentsFor(parameter: ts.ParameterDeclaration): ts.Expression[] {
    const owner = ts.isVariableDeclaration(parameter.parent.parent) ? parameter.parent.parent : parameter.parent
    const symbol = owner.name && this.#checker.getSymbolAtLocation(owner.name)
    const index = parameter.parent.parameters.indexOf(parameter)
    return (symbol && this.#calls.get(symbol))?.flatMap((call) => call.arguments[index] ?? []) ?? []
  }

  #holdsFragments(type: ts.Type, depth = 0): boolean {
    if (isFragment(type)) return true
    if (type.isUnionOrIntersection()) return type.types.some((one) => this.#holdsFragments(one, depth))
    if (depth > 1) return false
    return this.#checker
      .getPropertiesOfType(type)
      .some((one) => this.#holdsFragments(this.#checker.getTypeOfSymbol(one), depth + 1))
  }

  /** A made-up value of a type. */
  #sampleOf(type: ts.Type): unknown {
    const checker = this.#checker
    const named = type.symbol?.name ?? ''
    const constant = type.symbol && this.#constants.get(type.symbol)
    if (constant) return this.#scopes.get(constant.getSourceFile())?.(constant.text)
    if (type.isStringLiteral() || type.isNumberLiteral()) return type.value
    if (type.flags & ts.TypeFlags.BooleanLike) return true
    if (type.isUnion())
      return this.#sampleOf(type.types.find(({ flags }) => !(flags & empty)) ?? checker.getNullType())
    if (type.flags & ts.TypeFlags.StringLike) return '1'
    if (type.flags & ts.TypeFlags.NumberLike) return 1
    if (type.flags & (empty | ts.TypeFlags.Any | ts.TypeFlags.Unknown)) return undefined
    if (isFragment(type)) return sql`null`
    if (named === 'Date') return new Date(0)
    if (/^(?:Buffer|Uint8Array)$/.test(named)) return Buffer.from('1')
    const parts = () => checker.getTypeArguments(type as ts.TypeReference).map((one) => this.#sampleOf(one))
    if (checker.isArrayType(type)) {
      const [element] = checker.getTypeArguments(type as ts.TypeReference)
      if (element?.isUnion() && element.types.every((one) => one.isStringLiteral()))
        return element.types.map((one) => this.#sampleOf(one))
    }
    if (checker.isArrayType(type) || checker.isTupleType(type)) return parts()
    if (/^(?:Readonly)?Set$/.test(named)) return new Set(parts())
    if (/^(?:Readonly)?Map$/.test(named)) return new Map([parts() as [unknown, unknown]])
    const [signature] = type.getCallSignatures()
    if (signature) return () => this.#sampleOf(signature.getReturnType())
    const whole = type.flags & ts.TypeFlags.Instantiable ? checker.getBaseConstraintOfType(type) : undefined
    if (whole && whole !== type) return this.#sampleOf(whole)
    return this.#sampleOfFields(type)
  }

  #sampleOfFields(type: ts.Type): object {
    const sample = {}
    for (const field of this.#checker.getPropertiesOfType(type))
      Object.defineProperty(sample, field.name, {
        get: () => this.#sampleOf(this.#checker.getTypeOfSymbol(field)),
        enumerable: true,
      })
    return sample
  }
}

const empty = ts.TypeFlags.Undefined | ts.TypeFlags.Null

const isFragment = ({ symbol }: ts.Type): boolean =>
  /^(?:Aliased)?RawBuilder$|^Expression$/.test(symbol?.name ?? '')

/** An initialiser, and both of its sides where it is chosen by something that only a running service knows. */
const formsOf = (node: ts.Expression): ts.Expression[] =>
  ts.isConditionalExpression(node) ? [node, node.whenFalse, node.whenTrue] : [node]

const isLocal = (node: ts.Node): node is Local =>
  (ts.isVariableDeclaration(node) ||
    ts.isParameter(node) ||
    ts.isBindingElement(node) ||
    ts.isFunctionDeclaration(node)) &&
  ts.findAncestor(node.parent, (one) => ts.isFunctionLike(one) || ts.isBlock(one)) !== undefined
