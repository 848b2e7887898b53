import "../shared/base.css";
import "./inbox.css";
import "./request.css";
import { byId } from "../shared/dom.ts";
import { copyButton } from "../shared/copy.ts";
import { exampleSteps, type Examples } from "../shared/examples.ts";
import { markSelected, onSelect, selectedId, setLive, isWideScreen } from "../shared/live-list.ts";
import { wait } from "../shared/wait.ts";
import { reveal } from "../shared/reveal.ts";
import { showTexts } from "../shared/texts.ts";
import { counted, fill } from "../shared/words.ts";
import type { InboxRequest } from "./format.ts";
import { detailOf, rowOf } from "./request-view.ts";
import { language, refreshTimes, texts } from "./words.ts";

const everyMs = 1000;
const afterFaultMs = 3000;
const pageSize = 50;
const mostShown = 500;
/** How long the list stays still after the last pointer movement over it. */
const stillMs = 1500;

const list = byId("list");
const address = location.origin + location.pathname;

type Answer = Readonly<{
  total: number;
  hasMore: boolean;
  requests: InboxRequest[];
  examples: Examples;
}>;

/**
 * Newest first. `held`: arrived while the pointer was over the list, and shown later.
 * `opened` stays open even if it has left the list.
 */
const state = {
  shown: [] as InboxRequest[],
  held: [] as InboxRequest[],
  opened: undefined as InboxRequest | undefined,
  total: 0,
  hasOlder: false,
  pointerAt: 0,
  hasExamples: false,
};

function knownIds(): number[] {
  return [...state.held, ...state.shown].map((request) => request.id);
}

async function ask(query: Record<string, number>): Promise<Answer | undefined> {
  const input = Object.entries(query).map(([name, value]) => [name, String(value)]);
  const response = await fetch(`${location.pathname}/requests?${new URLSearchParams(input)}`);
  if (response.status === 404) {
    return undefined;
  }
  if (!response.ok) {
    throw new Error(`status ${response.status}`);
  }
  return (await response.json()) as Answer;
}

function showDetail(): void {
  const known = [...state.held, ...state.shown, ...(state.opened ? [state.opened] : [])];
  const chosen = known.find(({ id }) => id === selectedId());
  state.opened = chosen;
  byId("panes").classList.toggle("has-detail", chosen !== undefined);
  byId("detail").replaceChildren(...(chosen === undefined ? [] : [detailOf(chosen)]));
  markSelected(list);
}

function showCounts(): void {
  const forms = { one: texts.requests_one, other: texts.requests_other };
  byId("count").textContent = counted(state.total, forms, language);
  byId("show-new").textContent = fill(texts.show_new, { count: String(state.held.length) });
  byId("show-new").hidden = state.held.length === 0;
  byId("older").hidden = !state.hasOlder;
  const isEmpty = state.shown.length === 0 && state.held.length === 0;
  byId("empty").hidden = !isEmpty;
  byId("panes").hidden = isEmpty;
}

/** On a wide screen a request is always open; only a click changes it. */
function openSomething(): void {
  const [newest] = state.shown;
  if (isWideScreen.matches && newest !== undefined && state.opened === undefined) {
    history.replaceState(null, "", `#${newest.id}`);
    showDetail();
  }
}

function showCapacity(): void {
  list.prepend(...state.held.map(rowOf));
  state.shown.unshift(...state.held);
  state.held = [];
  while (state.shown.length > mostShown) {
    state.shown.pop();
    list.lastElementChild?.remove();
    state.hasOlder = true;
  }
}

function scroller(): Element {
  return (isWideScreen.matches ? list.parentElement : document.scrollingElement) ?? document.body;
}

function isBeingRead(): boolean {
  return scroller().scrollTop > 60 || performance.now() - state.pointerAt < stillMs;
}

function showAll({ requests, hasMore }: Answer): void {
  state.held = [];
  state.shown = requests;
  list.replaceChildren(...requests.map(rowOf));
  state.hasOlder = hasMore;
  showDetail();
  list.querySelector(".is-selected")?.scrollIntoView({ block: "nearest" });
}

function take(answer: Answer): void {
  const newest = knownIds()[0];
  state.total = answer.total;
  if (newest === undefined || answer.hasMore) {
    showAll(answer);
  } else {
    state.held.unshift(...answer.requests);
    if (state.held.length > 0 && !isBeingRead()) {
      showCapacity();
    }
  }
  openSomething();
  showCounts();
  markSelected(list);
}

function showExamples({ examples }: Answer): void {
  if (!state.hasExamples) {
    state.hasExamples = true;
    byId("steps").replaceChildren(exampleSteps(examples));
  }
}

async function poll(): Promise<number> {
  const answer = await ask({ limit: pageSize, after: knownIds()[0] ?? 0 });
  byId("gone").hidden = answer !== undefined;
  if (answer === undefined) {
    setLive("warn", "minus", texts.closed);
    return afterFaultMs;
  }
  showExamples(answer);
  take(answer);
  setLive("good", "check", texts.live);
  return everyMs;
}

function isVisible(): Promise<void> {
  return document.hidden
    ? new Promise((resolve) => {
        document.addEventListener("visibilitychange", () => resolve(), { once: true });
      })
    : Promise.resolve();
}

async function run(): Promise<never> {
  for (;;) {
    await isVisible();
    const waitMs = await poll().catch(() => {
      setLive("warn", "minus", texts.reconnecting);
      return afterFaultMs;
    });
    refreshTimes();
    reveal();
    await wait(waitMs);
  }
}

async function showOlder(): Promise<void> {
  const oldest = state.shown.at(-1)?.id;
  const answer = oldest === undefined ? undefined : await ask({ limit: pageSize, before: oldest });
  // After a second click, the first answer has added this page.
  if (answer !== undefined && oldest === state.shown.at(-1)?.id) {
    state.shown.push(...answer.requests);
    list.append(...answer.requests.map(rowOf));
    state.hasOlder = answer.hasMore && state.shown.length < mostShown;
    showCounts();
    markSelected(list);
  }
}

byId("older").addEventListener("click", () => void showOlder().catch(() => undefined));
byId("show-new").addEventListener("click", () => {
  showCapacity();
  showCounts();
  markSelected(list);
  scroller().scrollTop = 0;
});
list.addEventListener("pointermove", (event) => {
  state.pointerAt = event.pointerType === "mouse" ? performance.now() : 0;
});
onSelect(showDetail);
isWideScreen.addEventListener("change", openSomething);

showTexts(texts, { language });
setTimeout(reveal, 1_500);
byId("address").textContent = address;
byId("address-copy").append(copyButton(() => address));
void run();
