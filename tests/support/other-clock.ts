/** The environment of a process whose clock stood at a moment when it started, and goes on from there. */
export function withClockAt(moment: string): Record<string, string> {
  const code = `
    const Real = Date, ahead = Real.parse('${moment}') - Real.now();
    globalThis.Date = class extends Real {
      constructor(...given) { given.length === 0 ? super(Real.now() + ahead) : super(...given) }
      static now() { return Real.now() + ahead }
    }`
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(code)}` }
}
