/** The style sheet of the report. Colors of series differ in lightness too, for color blindness. */
export const style = `
:root {
  color-scheme: light dark;
  --page: #f6f7f9; --card: #fff; --text: #16191f; --muted: #5b6472; --line: #e0e4ea;
  --worse: #b3261e; --worse-page: #fdecea; --better: #17693a; --better-page: #e7f5ec;
  --series-0: #2f5fd0; --series-1: #e08a1e; --series-2: #1c9a8b; --series-3: #9a4fc4;
  --series-4: #c23b52; --series-5: #6b7686; --series-6: #8aa82a;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #101318; --card: #191d24; --text: #e9ecf1; --muted: #9aa4b2; --line: #2c323c;
    --worse: #ff9a91; --worse-page: #3a1d1b; --better: #7fd6a0; --better-page: #16301f;
    --series-0: #7ea6ff; --series-1: #f2b25c; --series-2: #4fd0bf; --series-3: #c894ea;
    --series-4: #f07f93; --series-5: #9aa4b2; --series-6: #bfd967;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0; background: var(--page); color: var(--text); font-variant-numeric: tabular-nums;
  font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Open Sans", sans-serif;
}
main { max-width: 1080px; margin: 0 auto; padding: 32px 20px 64px; }
h1 { margin: 0; font-size: 26px; line-height: 1.25; letter-spacing: -0.01em; }
h1 span { white-space: nowrap; }
h2 { margin: 0; font-size: 19px; line-height: 1.3; }
p { margin: 4px 0; }
.muted { color: var(--muted); }
code { font: 13px ui-monospace, SFMono-Regular, Menlo, monospace; overflow-wrap: anywhere; }
.verdict { margin: 20px 0 16px; padding: 12px 16px; border-radius: 10px; font-weight: 600; }
.verdict ul { margin: 6px 0 0; padding-left: 20px; font-weight: 400; }
.verdict.is-better, .verdict.is-first { background: var(--better-page); color: var(--better); }
.verdict.is-first { background: var(--card); color: var(--text); border: 1px solid var(--line); }
.verdict.is-worse { background: var(--worse-page); color: var(--worse); }
nav { display: flex; flex-wrap: wrap; gap: 8px; margin-bottom: 32px; }
nav a {
  padding: 5px 12px; border: 1px solid var(--line); border-radius: 99px; background: var(--card);
  color: var(--text); font-size: 14px; text-decoration: none;
}
nav a:hover, nav a:focus-visible { border-color: var(--series-0); }
section { margin-bottom: 44px; scroll-margin-top: 16px; }
.cards, .charts { display: grid; gap: 12px; margin-top: 14px; }
.cards { grid-template-columns: repeat(auto-fill, minmax(min(100%, 216px), 1fr)); }
.charts { grid-template-columns: repeat(auto-fit, minmax(min(100%, 380px), 1fr)); }
.card, .chart {
  min-width: 0; margin: 0; padding: 14px 16px; background: var(--card);
  border: 1px solid var(--line); border-radius: 10px;
}
.card { display: flex; flex-direction: column; }
.card.is-worse { border-color: var(--worse); }
.card h3 { margin: 0; font-size: 14px; font-weight: 500; color: var(--muted); line-height: 1.35; }
.card h3::first-letter, .bar .name::first-letter { text-transform: uppercase; }
.card strong { margin-top: 4px; font-size: 24px; line-height: 1.25; letter-spacing: -0.01em; }
.card small { font-size: 13px; font-weight: 400; color: var(--muted); letter-spacing: 0; }
.card p { margin: 0; font-size: 13px; color: var(--muted); }
.card span { white-space: nowrap; }
.card .change { font-weight: 600; }
.card .is-worse { color: var(--worse); }
.card .is-better { color: var(--better); }
.spark { display: block; width: 100%; height: 38px; margin-top: auto; padding-top: 8px; overflow: visible; }
path { fill: none; stroke-width: 1.75; stroke-linejoin: round; vector-effect: non-scaling-stroke; }
.spark path { stroke: var(--series-0); }
.spark .dot { stroke-width: 5; stroke-linecap: round; }
.grid { stroke: var(--line); stroke-width: 1; }
.chart:last-child:nth-child(odd) { grid-column: 1 / -1; }
figcaption { margin-bottom: 10px; font-weight: 600; }
figcaption span { font-weight: 400; color: var(--muted); font-size: 13px; white-space: nowrap; }
.bar { display: grid; grid-template-columns: 1fr auto; gap: 2px 12px; margin-top: 10px; font-size: 14px; }
.bar .name { min-width: 0; overflow-wrap: anywhere; }
.bar svg {
  grid-column: 1 / -1; width: 100%; height: 12px; border-radius: 4px; background: var(--page);
}
.plot { display: grid; grid-template-columns: auto 1fr; gap: 4px 8px; font-size: 12px; color: var(--muted); }
.plot svg { width: 100%; height: 180px; overflow: visible; }
.plot .y {
  display: flex; flex-direction: column; justify-content: space-between; height: 180px;
  text-align: right; line-height: 0;
}
.plot .x { grid-column: 2; display: flex; justify-content: space-between; }
.legend { display: flex; flex-wrap: wrap; gap: 4px 16px; margin: 12px 0 0; padding: 0; list-style: none; font-size: 13px; }
.legend i { display: inline-block; width: 10px; height: 10px; margin-right: 6px; border-radius: 3px; }
details { margin-top: 14px; }
summary { cursor: pointer; color: var(--muted); font-size: 14px; }
summary:hover { color: var(--text); }
.scroll { overflow-x: auto; margin: 6px 0 4px; }
h4 { margin: 16px 0 0; font-size: 14px; font-weight: 600; }
table { border-collapse: collapse; font-size: 13px; white-space: nowrap; }
th, td { padding: 5px 12px 5px 0; border-bottom: 1px solid var(--line); text-align: right; }
th { font-weight: 500; color: var(--muted); }
th:first-child, td:first-child { text-align: left; }
@media (max-width: 480px) {
  main { padding: 20px 14px 48px; }
  .cards { grid-template-columns: 1fr 1fr; gap: 8px; }
  .card { padding: 12px; }
  .card strong { font-size: 20px; }
}
@media print { details { display: none; } body { background: none; } }
`;
