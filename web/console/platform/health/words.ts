/** Texts for components and their problems. */
import { useTranslation } from "../../../base/i18n.ts";
import { formatDuration, formatNumber, formatShare } from "../../../base/format.ts";
import type { Meaning } from "../../../components/meaning.ts";
import type { Part } from "./queries.ts";

export const meaningOf = {
  ok: "good",
  notice: "neutral",
  slow: "warn",
  failing: "bad",
  down: "bad",
} as const satisfies Record<Part["state"], Meaning>;

/** The heading in the runbook, as its link names it: "docs/runbook.md#past-due" → "Past due". */
export function sectionOf(link: string): string {
  const words = anchorOf(link).replaceAll("-", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** "docs/runbook.md#past-due" → "past-due". */
export function anchorOf(link: string): string {
  return link.split("#")[1] ?? "";
}

export function usePartWords() {
  const { t, find } = useTranslation("platform");
  /** Components without a translation are shown by their id. */
  const name = (part: string): string => find(`part_name.${part}`) ?? part;
  const role = (part: string): string => find(`part_role.${part}`) ?? "";
  const what = (part: Part): string =>
    part.code === "ok"
      ? ""
      : t(`code.${part.code}.what`, {
          number: numberText(part),
          // Plural form, for counts only.
          count: part.unit === "count" ? Math.min(part.number ?? 0, 2) : 2,
        });
  const todo = ({ code }: Part): string => (code === "ok" ? "" : t(`code.${code}.do`));
  return { name, role, what, todo };
}

/** "4m 20s", "12", "63 %"; empty if there is no number. */
function numberText({ number, unit }: Part): string {
  if (number === null || unit === null) {
    return "";
  }
  const texts = {
    seconds: () => formatDuration(number * 1_000),
    percent: () => formatShare(number / 100),
    count: () => formatNumber(number),
  };
  return texts[unit]();
}
