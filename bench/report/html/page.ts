/** The report of a run: one HTML file without external assets. */
import { compare, tolerance, type ComparedFigure } from "../../figures/compare.ts";
import type { History } from "../../figures/history.ts";
import type { PartRun, Results } from "../../results.ts";
import type { Part } from "../../plan.ts";
import { showChange, showOfLoop } from "../comparison-table.ts";
import { machineLine } from "../pipeline-tables.ts";
import { showSeconds } from "../../support/progress.ts";
import { percent, showCell, type Table } from "../table.ts";
import { renderChart, sparkline } from "./charts.ts";
import { escape } from "./markup.ts";
import { showAmount } from "./scale.ts";
import { style } from "./style.ts";

type Section = { run: PartRun; figures: ComparedFigure[] };

/** The title of each part, for readers who do not know its short name. */
const titles: Record<Part, string> = {
  throughput: "Deliveries per second",
  latency: "Latency, queue on Redis",
  "bare-chain": "Single changes, beside the bare chain",
  postgres: "Queue on Postgres",
  api: "Tickets through the API",
  lists: "Lists of the API",
  claim: "The claim of a delivery",
  statements: "SQL statements",
  "delivery-log": "Searches in the delivery log",
  live: "The live view",
  isolation: "Receivers that hang or fail",
  outage: "A receiver comes back",
  rooms: "Signalling of rooms",
  calls: "Calls in the browser",
  "history-size": "A long history",
  soak: "A long run",
};

function changeLine({ change, figure }: ComparedFigure): string {
  if (change === undefined) {
    return "";
  }
  const isBetter = change.change > 0 === (figure.better === "higher");
  const kind = change.isWorse ? "is-worse" : isBetter ? "is-better" : "";
  const loop =
    change.loopChange === undefined
      ? ""
      : `<p>bare loop <span>${showChange(change.loopChange)}</span></p>`;
  return (
    `<p><span class="change ${kind}">${showChange(change.change)}</span> since ` +
    `<span>${change.date.slice(0, 10)}</span></p>${loop}`
  );
}

function card(compared: ComparedFigure): string {
  const { figure, value, ofLoop, change, series } = compared;
  const amount =
    figure.unit === "times"
      ? `× ${value.toFixed(2)}`
      : `${showAmount(value)} <small>${escape(figure.unit)}</small>`;
  const loop =
    ofLoop === undefined ? "" : `<p>${showOfLoop(ofLoop, figure.unit)} of the bare loop</p>`;
  return (
    `<div class="card${change?.isWorse === true ? " is-worse" : ""}"><h3>${escape(figure.name)}</h3>` +
    `<strong>${amount}</strong>${loop}${changeLine(compared)}${sparkline(series)}</div>`
  );
}

function renderTable({ title, header, rows, notes }: Table): string {
  const row = (cells: readonly string[], tag: "th" | "td"): string =>
    `<tr>${cells.map((cell) => `<${tag}>${escape(cell)}</${tag}>`).join("")}</tr>`;
  return (
    `<h4>${escape(title)}</h4><div class="scroll" tabindex="0" role="region" ` +
    `aria-label="${escape(title)}"><table><thead>${row(header, "th")}</thead>` +
    `<tbody>${rows.map((cells) => row(cells.map(showCell), "td")).join("")}</tbody></table></div>` +
    notes.map((note) => `<p class="muted">${escape(note)}</p>`).join("")
  );
}

function cards(figures: readonly ComparedFigure[]): string {
  return figures.length === 0 ? "" : `<div class="cards">${figures.map(card).join("")}</div>`;
}

function details(summary: string, content: string): string {
  return content === "" ? "" : `<details><summary>${summary}</summary>${content}</details>`;
}

function section({ run, figures }: Section): string {
  const { part, load, seconds, bareLoop, tables, charts } = run;
  const { perSecond, postMs, cpuUsPerPost } = bareLoop;
  const loop =
    `${showAmount(perSecond)} POSTs/s with ${showAmount(cpuUsPerPost)} CPU µs each, ` +
    `one alone ${showAmount(postMs)} ms`;
  const [main, byProcess] = [false, true].map((isDetail) =>
    figures.filter(({ figure }) => (figure.isDetail ?? false) === isDetail),
  );
  const drawn = charts.map(renderChart).join("");
  return (
    `<section id="${part}"><h2>${escape(titles[part])}</h2>` +
    `<p class="muted"><code>${part}</code>, ${escape(load)}, took ${showSeconds(seconds)}. Bare loop: ${loop}.</p>` +
    cards(main ?? []) +
    (drawn === "" ? "" : `<div class="charts">${drawn}</div>`) +
    details("Figures by process", cards(byProcess ?? [])) +
    details("All results", tables.map(renderTable).join("")) +
    `</section>`
  );
}

function verdict(sections: readonly Section[]): string {
  const compared = sections.flatMap(({ run, figures }) =>
    figures.map((figure) => ({ ...figure, part: run.part })),
  );
  const worse = compared.filter(({ change }) => change?.isWorse);
  if (compared.every(({ change }) => change === undefined)) {
    return `<div class="verdict is-first">Nothing of this machine and load is recorded yet: no comparison.</div>`;
  }
  if (worse.length === 0) {
    return `<div class="verdict is-better">No figure got worse by more than ${percent(tolerance)}.</div>`;
  }
  const items = worse.map(
    ({ part, figure, change }) =>
      `<li>${escape(titles[part])}, ${escape(figure.name)}: ${showChange(change?.change)}</li>`,
  );
  const count = `${worse.length} ${worse.length === 1 ? "figure" : "figures"}`;
  return `<div class="verdict is-worse">${count} got worse by more than ${percent(tolerance)}<ul>${items.join("")}</ul></div>`;
}

export function renderPage(results: Results, history: History): string {
  const sections = results.parts.map((run) => ({
    run,
    figures: compare(run, { ...results, history }),
  }));
  const links = sections.map(({ run }) => `<a href="#${run.part}">${escape(titles[run.part])}</a>`);
  const date = results.startedAt.slice(0, 16).replace("T", " ");
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Benchmark of ${date}</title>
<style>${style}</style>
<main>
<h1>Benchmark of <span>${date} UTC</span></h1>
<p class="muted">Commit <code>${escape(results.commit)}</code>, <code>${escape(results.command)}</code></p>
<p class="muted">${escape(machineLine(results.machine))}</p>
${verdict(sections)}
<nav>${links.join("")}</nav>
${sections.map(section).join("\n")}
</main>
</html>
`;
}
