import "../shared/base.css";
import "../inbox/inbox.css";
import "./mailbox.css";
import { counted } from "../shared/words.ts";
import { copyButton } from "../shared/copy.ts";
import { byId, element, icon, stateBadge } from "../shared/dom.ts";
import {
  markSelected,
  onSelect,
  rowTo,
  selectedId,
  setLive,
  timesIn,
  isWideScreen,
} from "../shared/live-list.ts";
import { wait } from "../shared/wait.ts";
import { reveal } from "../shared/reveal.ts";
import { showTexts, textsFor } from "../shared/texts.ts";
import en from "./texts/en.json" with { type: "json" };
import fr from "./texts/fr.json" with { type: "json" };

const { texts, language } = textsFor({ en, fr });
const { exact, timeOf, refreshTimes } = timesIn(language);

type Message = Readonly<{
  id: number;
  channel: "email" | "sms";
  to: string;
  from: string;
  subject: string | null;
  text: string;
  hasHtml: boolean;
  calendar: string | null;
  segments: number | null;
  status: string;
  /** ISO. */
  created: string;
}>;

type Answer = Readonly<{ total: number; hasMore: boolean; messages: Message[] }>;

const everyMs = 2000;
const afterFaultMs = 4000;

const list = byId("list");

/** Newest first. `known` says whether the list has to be drawn again. */
const state = {
  messages: [] as Message[],
  total: 0,
  hasMore: false,
  channel: "" as Message["channel"] | "",
  known: "",
};

async function ask(before?: number): Promise<Answer> {
  const query = new URLSearchParams({
    ...(state.channel === "" ? {} : { channel: state.channel }),
    ...(before === undefined ? {} : { before: String(before) }),
  });
  const response = await fetch(`/mailbox/messages?${query}`);
  if (!response.ok) {
    throw new Error(`status ${response.status}`);
  }
  return (await response.json()) as Answer;
}

function firstLine(text: string): string {
  return text.split("\n").find((line) => line.trim() !== "") ?? "";
}

function rowOf(message: Message): HTMLElement {
  const link = element(
    "a",
    "row-link",
    element("span", "mailbox-title", message.subject ?? firstLine(message.text)),
    timeOf(message.created),
    element("span", "row-about", message.to),
    element("span", "row-channel", texts[message.channel]),
  );
  return rowTo(message.id, link);
}

const failed: readonly string[] = ["undelivered", "failed"];

function statusBadge({ status }: Message): HTMLElement {
  const word = (texts as Readonly<Record<string, string>>)[`status_${status}`] ?? status;
  return failed.includes(status)
    ? stateBadge("bad", "cross", word)
    : stateBadge("good", "check", word);
}

function factsOf(message: Message): HTMLElement {
  const facts: [name: string, value: string][] = [
    [texts.to, message.to],
    [texts.from, message.from === "" ? texts.provider : message.from],
    [texts.when, exact(new Date(message.created))],
    ...(message.segments === null
      ? []
      : [[texts.parts, String(message.segments)] satisfies [string, string]]),
  ];
  const status = element("dd", "", statusBadge(message));
  return element(
    "dl",
    "facts",
    ...facts.flatMap(([name, value]) => [element("dt", "", name), element("dd", "", value)]),
    element("dt", "", texts.status),
    status,
  );
}

/** The mail's own HTML: in a frame that runs nothing and has no origin. */
function mailFrame(message: Message): HTMLElement {
  const frame = element("iframe", "mail");
  frame.setAttribute("sandbox", "");
  frame.referrerPolicy = "no-referrer";
  frame.title = texts.mail_frame;
  frame.src = `/mailbox/messages/${message.id}/mail`;
  return frame;
}

function part(title: string, ...content: HTMLElement[]): HTMLElement[] {
  return [element("h3", "part-title", title), ...content];
}

function bodyOf(message: Message): HTMLElement[] {
  return message.channel === "sms"
    ? [element("div", "bubble", message.text)]
    : [
        ...(message.hasHtml ? part(texts.email, mailFrame(message)) : []),
        ...part(texts.text, element("pre", "plain", message.text)),
        ...(message.calendar === null
          ? []
          : part(texts.calendar, element("pre", "plain", message.calendar))),
      ];
}

function linkIn(text: string): string | undefined {
  return /https?:\/\/\S+/u.exec(text)?.[0];
}

function detailOf(message: Message): HTMLElement {
  const back = element("a", "message-back", icon("back"), texts.all);
  back.href = "#";
  const link = linkIn(message.text);
  const title = element("h2", "message-title", message.subject ?? texts.sms);
  return element(
    "article",
    "message",
    back,
    title,
    factsOf(message),
    ...(link === undefined ? [] : [copyButton(() => link, texts.copy_link)]),
    ...bodyOf(message),
  );
}

let shownId: number | undefined;
function showDetail(): void {
  const chosen = state.messages.find(({ id }) => id === selectedId());
  byId("panes").classList.toggle("has-detail", chosen !== undefined);
  if (chosen?.id !== shownId) {
    shownId = chosen?.id;
    byId("detail").replaceChildren(...(chosen === undefined ? [] : [detailOf(chosen)]));
  }
  markSelected(list);
}

function show(): void {
  list.replaceChildren(...state.messages.map(rowOf));
  const isEmpty = state.messages.length === 0;
  byId("count").textContent = counted(
    state.total,
    { one: texts.messages_one, other: texts.messages_other },
    language,
  );
  byId("older").hidden = !state.hasMore;
  byId("empty").hidden = !isEmpty;
  byId("empty-title").textContent =
    state.channel === "" ? texts.empty : texts[`empty_${state.channel}`];
  byId("panes").hidden = isEmpty;
  const [newest] = state.messages;
  if (isWideScreen.matches && newest !== undefined && location.hash === "") {
    history.replaceState(null, "", `#${newest.id}`);
  }
  showDetail();
}

/** Keeps the older messages that are shown, and adds new ones above. */
function take(answer: Answer): void {
  const oldest = answer.messages.at(-1)?.id ?? 0;
  const below = answer.hasMore ? state.messages.filter(({ id }) => id < oldest) : [];
  state.hasMore = below.length > 0 ? state.hasMore : answer.hasMore;
  state.messages = [...answer.messages, ...below];
  state.total = answer.total;
  const known = `${state.channel} ${state.total} ${state.messages[0]?.id} ${state.messages.length}`;
  if (known !== state.known) {
    state.known = known;
    show();
  }
}

async function poll(): Promise<number> {
  const { channel } = state;
  const answer = await ask();
  if (channel === state.channel) {
    take(answer);
  }
  setLive("good", "check", texts.live);
  return everyMs;
}

async function run(): Promise<never> {
  for (;;) {
    const waitMs = document.hidden
      ? everyMs
      : await poll().catch(() => {
          setLive("warn", "minus", texts.reconnecting);
          return afterFaultMs;
        });
    refreshTimes();
    reveal();
    await wait(waitMs);
  }
}

async function showOlder(): Promise<void> {
  const { channel } = state;
  const oldest = state.messages.at(-1)?.id;
  const answer = await ask(oldest);
  // Another channel was chosen, or a second click has added this page.
  if (channel !== state.channel || oldest !== state.messages.at(-1)?.id) {
    return;
  }
  state.messages = [...state.messages, ...answer.messages];
  state.hasMore = answer.hasMore;
  show();
}

byId("older").addEventListener("click", () => void showOlder().catch(() => undefined));
byId("channels").addEventListener("click", (event) => {
  const { target } = event;
  const button = target instanceof Element ? target.closest("button") : null;
  const channel = button?.dataset["channel"];
  if (channel === undefined) {
    return;
  }
  state.channel = channel === "email" || channel === "sms" ? channel : "";
  state.messages = [];
  state.known = "";
  history.replaceState(null, "", location.pathname);
  for (const tab of byId("channels").querySelectorAll("button")) {
    tab.setAttribute("aria-pressed", String(tab.dataset["channel"] === channel));
  }
  void poll().catch(() => undefined);
});
onSelect(showDetail);
showTexts(texts, { language });
setTimeout(reveal, 1_500);
void run();
