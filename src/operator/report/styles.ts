/** The styles of the weekly report, for phones and for a sheet of A4 or Letter. */
export const styles = `
:root { color-scheme: light; --quiet: #5b6472; --line: #d9dee5; --up: #15703b; --down: #b02a1e; }
* { box-sizing: border-box; }
body { margin: 0; padding: 16px; background: #fff; color: #1b2230; font: 14px/1.45 -apple-system, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif; }
main { max-width: 820px; margin: 0 auto; overflow-wrap: anywhere; }
h1 { font-size: 22px; line-height: 1.25; margin: 0 0 4px; }
h2 { font-size: 16px; line-height: 1.3; margin: 18px 0 6px; padding-top: 10px; border-top: 1px solid var(--line); }
h3 { font-size: 13px; margin: 8px 0 2px; }
h2 .quiet { font-weight: 400; font-size: 13px; }
p { margin: 0 0 6px; }
ul { margin: 0 0 6px; padding-left: 18px; }
li { margin: 0 0 2px; }
a { color: #1f5fbf; text-decoration: none; }
.quiet { color: var(--quiet); }
.up { color: var(--up); font-weight: 600; }
.down { color: var(--down); font-weight: 600; }
table { border-collapse: collapse; width: 100%; margin: 4px 0 8px; }
th, td { text-align: left; vertical-align: top; padding: 3px 8px 3px 0; border-bottom: 1px solid var(--line); font-variant-numeric: tabular-nums; }
thead th { color: var(--quiet); font-size: 12px; font-weight: 500; overflow-wrap: normal; }
tbody th { font-weight: 600; }
.ranks th:first-child { width: 30%; }
.ranks td { white-space: nowrap; }
.rivals th:first-child { width: 22%; }
.line { display: block; }
.line polyline { fill: none; stroke: #1f5fbf; stroke-width: 1.4; stroke-linejoin: round; }
.line .rank { fill: #1f5fbf; }
.line .out { fill: #b7bfca; }
.line rect { fill: #eef3fb; }
footer { margin-top: 14px; font-size: 12px; }
@media (max-width: 600px) {
  .drawn { display: none; }
  .ranks td { white-space: normal; }
  .rivals, .rivals tbody, .rivals tr, .rivals td, .rivals tbody th:first-child { display: block; width: auto; }
  .rivals thead { display: none; }
  .rivals td, .rivals tbody th { border-bottom: 0; padding: 0; }
  .rivals tr { border-bottom: 1px solid var(--line); padding: 6px 0; }
}
@page { margin: 11mm; }
@media print {
  body { padding: 0; font-size: 8pt; line-height: 1.25; }
  main { max-width: none; }
  h1 { font-size: 14pt; }
  h2 { font-size: 10.5pt; margin: 5pt 0 2pt; padding-top: 3pt; break-after: avoid; }
  h3 { font-size: 8pt; margin: 2pt 0 1pt; break-after: avoid; }
  h2 .quiet, thead th, footer { font-size: 7.5pt; }
  footer { margin-top: 4pt; }
  table { margin: 1pt 0 3pt; }
  .line { height: 12pt; }
  p, ul { margin-bottom: 2pt; }
  th, td { padding-top: 1pt; padding-bottom: 1pt; }
  tr, li { break-inside: avoid; }
  thead { display: table-header-group; }
  a { color: inherit; }
  * { -webkit-print-color-adjust: exact; print-color-adjust: exact; }
}
`
