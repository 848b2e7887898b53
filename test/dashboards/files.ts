import { readFile } from "node:fs/promises";
import { parse } from "yaml";

type Target = { expr: string; legendFormat: string };
export type Panel = {
  type: string;
  title: string;
  description?: string;
  gridPos: { x: number; y: number; w: number; h: number };
  targets?: Target[];
  datasource?: { uid: string };
  fieldConfig?: { defaults: { unit?: string } };
};
export type Dashboard = {
  panels: Panel[];
  templating: { list: { name: string; type: string; definition?: string }[] };
};

export type Alert = {
  alert: string;
  expr: string;
  for: string;
  labels: { severity: string };
  annotations: { summary: string; description: string; runbook: string };
};

export type Route = {
  receiver: string;
  group_by?: string[];
  matchers?: string[];
  routes?: Route[];
};

export type Alertmanager = {
  route: Route;
  inhibit_rules: { source_matchers: string[]; target_matchers: string[]; equal: string[] }[];
  receivers: { name: string }[];
};

function read(path: string): Promise<string> {
  return readFile(new URL(`../../${path}`, import.meta.url), "utf8");
}

export async function readDashboard(): Promise<Dashboard> {
  return JSON.parse(await read("dashboards/grafana/overview.json")) as Dashboard;
}

export async function readAlerts(): Promise<Alert[]> {
  const file = parse(await read("dashboards/prometheus/alerts.yml")) as {
    groups: { rules: Alert[] }[];
  };
  return file.groups.flatMap(({ rules }) => rules);
}

export async function readAlertmanager(): Promise<Alertmanager> {
  return parse(await read("dashboards/prometheus/alertmanager.yml")) as Alertmanager;
}

/** The labels that the example configuration of Prometheus adds to every alert. */
export async function readExternalLabels(): Promise<Set<string>> {
  const { global } = parse(await read("dashboards/prometheus/prometheus.yml")) as {
    global: { external_labels: Record<string, string> };
  };
  return new Set(Object.keys(global.external_labels));
}

/** The anchors of a page's headings, as GitHub generates them. */
export async function readRunbookAnchors(): Promise<Set<string>> {
  const headings = (await read("docs/runbook.md")).matchAll(/^#+ (.+)$/gmu);
  return new Set([...headings].map(([, title = ""]) => title.toLowerCase().replaceAll(" ", "-")));
}

/** Labels in the `{{ … }}` placeholders of a legend or text. */
export function shownLabels(...texts: readonly string[]): string[] {
  return texts.flatMap((text) =>
    [...text.matchAll(/\{\{\s*(?:\$labels\.)?([a-z_]+)\s*\}\}/gu)].map(([, label = ""]) => label),
  );
}
