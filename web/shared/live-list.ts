/** Shared by pages with a live list and a detail pane. */
import { formatAgo, formatPrecise, setFormatLanguage } from "../base/format.ts";
import { element, replaceBadge, stateBadge, type IconName, type StateKind } from "./dom.ts";
import type { Language } from "./words.ts";

/** Wide enough for the list and the pane. */
export const isWideScreen = matchMedia("(min-width: 800px)");

/** Calls `show` whenever the id in the URL changes. */
export function onSelect(show: () => void): void {
  addEventListener("hashchange", () => {
    show();
    if (!isWideScreen.matches) {
      scrollTo(0, 0);
    }
  });
}

/** Marks the row whose id is in the URL. */
export function markSelected(list: HTMLElement): void {
  for (const row of list.querySelectorAll<HTMLElement>(".row")) {
    const isSelected = row.dataset["id"] === String(selectedId());
    row.classList.toggle("is-selected", isSelected);
    row.querySelector("a")?.toggleAttribute("aria-current", isSelected);
  }
}

/** The id in the URL; 0 for none. */
export function selectedId(): number {
  return Number(location.hash.slice(1));
}

/** A row that links to the item with this id. */
export function rowTo(id: number, link: HTMLAnchorElement): HTMLElement {
  link.href = `#${id}`;
  const row = element("li", "row", link);
  row.dataset["id"] = String(id);
  return row;
}

let liveWord = "";

/** Shows the connection state; screen readers announce changes only. */
export function setLive(kind: StateKind, iconName: IconName, word: string): void {
  if (word !== liveWord) {
    liveWord = word;
    replaceBadge("live", stateBadge(kind, iconName, word));
  }
}

/** Relative times: `timeOf` creates one, `refreshTimes` updates all. */
export function timesIn(language: Language) {
  setFormatLanguage(language);
  const timeOf = (iso: string, className = "time"): HTMLElement => {
    const date = new Date(iso);
    const time = element("time", className, formatAgo(date, new Date()));
    time.dateTime = iso;
    time.title = formatPrecise(date);
    return time;
  };
  const refreshTimes = (): void => {
    const now = new Date();
    for (const time of document.querySelectorAll("time")) {
      const text = formatAgo(new Date(time.dateTime), now);
      if (time.textContent !== text) {
        time.textContent = text;
      }
    }
  };
  return { exact: formatPrecise, timeOf, refreshTimes };
}
