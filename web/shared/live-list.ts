/** What pages share that show a list which grows, and beside it what is open of it. */
import { formatAgo, formatPrecise, setFormatLanguage } from "../base/format.ts";
import { element, replaceBadge, stateBadge, type IconName, type StateKind } from "./dom.ts";
import type { Language } from "./words.ts";

/** There is room for both beside each other. */
export const isWideScreen = matchMedia("(min-width: 800px)");

/** Calls `show` whenever the address names another one. */
export function onSelect(show: () => void): void {
  addEventListener("hashchange", () => {
    show();
    if (!isWideScreen.matches) {
      scrollTo(0, 0);
    }
  });
}

/** Marks the row whose id the address names. */
export function markSelected(list: HTMLElement): void {
  for (const row of list.querySelectorAll<HTMLElement>(".row")) {
    const isSelected = row.dataset["id"] === String(selectedId());
    row.classList.toggle("is-selected", isSelected);
    row.querySelector("a")?.toggleAttribute("aria-current", isSelected);
  }
}

/** The id that the address names; 0 for none. */
export function selectedId(): number {
  return Number(location.hash.slice(1));
}

/** A row that opens what has this id. */
export function rowTo(id: number, link: HTMLAnchorElement): HTMLElement {
  link.href = `#${id}`;
  const row = element("li", "row", link);
  row.dataset["id"] = String(id);
  return row;
}

let liveWord = "";

/** Says how the page is doing; who hears the page hears it only when it changes. */
export function setLive(kind: StateKind, iconName: IconName, word: string): void {
  if (word !== liveWord) {
    liveWord = word;
    replaceBadge("live", stateBadge(kind, iconName, word));
  }
}

export function wait(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}

/** Times that say how long ago they were: `timeOf` makes one, `refreshTimes` shows all anew. */
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
