import "../look/base.css";
import "../inbox/inbox.css";
import "./outbox.css";
import { ago, exact } from "../inbox/format.ts";
import {
  byId,
  copyButton,
  element,
  icon,
  replaceBadge,
  stateBadge,
  type IconName,
  type StateKind,
} from "../look/dom.ts";

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
const wide = matchMedia("(min-width: 800px)");

/** Newest first. `known` says whether the list has to be drawn again. */
const state = {
  messages: [] as Message[],
  total: 0,
  hasMore: false,
  channel: "",
  known: "",
};

const ask = async (before?: number): Promise<Answer> => {
  const query = new URLSearchParams({
    ...(state.channel === "" ? {} : { channel: state.channel }),
    ...(before === undefined ? {} : { before: String(before) }),
  });
  const response = await fetch(`/outbox/messages?${query}`);
  if (!response.ok) {
    throw new Error(`status ${response.status}`);
  }
  return (await response.json()) as Answer;
};

const channelWords = { email: "Mail", sms: "SMS" };

const firstLine = (text: string): string =>
  text.split("\n").find((line) => line.trim() !== "") ?? "";

const timeOf = (message: Message): HTMLElement => {
  const date = new Date(message.created);
  const time = element("time", "time", ago(date, new Date()));
  time.dateTime = message.created;
  time.title = exact(date);
  return time;
};

const rowOf = (message: Message): HTMLElement => {
  const link = element(
    "a",
    "row-link",
    element("span", "outbox-title", message.subject ?? firstLine(message.text)),
    timeOf(message),
    element("span", "row-about", message.to),
    element("span", "row-channel", channelWords[message.channel]),
  );
  link.href = `#${message.id}`;
  const row = element("li", "row", link);
  row.dataset["id"] = String(message.id);
  return row;
};

const factsOf = (message: Message): HTMLElement => {
  const facts: [name: string, value: string][] = [
    ["To", message.to],
    ["From", message.from === "" ? "the provider's number" : message.from],
    ["When", exact(new Date(message.created))],
    ...(message.segments === null
      ? []
      : [["Parts", String(message.segments)] satisfies [string, string]]),
  ];
  const status = element("dd", "", stateBadge("good", "check", message.status));
  return element(
    "dl",
    "facts",
    ...facts.flatMap(([name, value]) => [element("dt", "", name), element("dd", "", value)]),
    element("dt", "", "Status"),
    status,
  );
};

/** The mail's own HTML: in a frame that runs nothing and has no origin. */
const mailFrame = (message: Message): HTMLElement => {
  const frame = element("iframe", "mail");
  frame.setAttribute("sandbox", "");
  frame.referrerPolicy = "no-referrer";
  frame.title = "The mail as a reader shows it";
  frame.src = `/outbox/messages/${message.id}/mail`;
  return frame;
};

const part = (title: string, ...content: HTMLElement[]): HTMLElement[] => [
  element("h3", "part-title", title),
  ...content,
];

const bodyOf = (message: Message): HTMLElement[] =>
  message.channel === "sms"
    ? [element("div", "bubble", message.text)]
    : [
        ...(message.hasHtml ? part("Mail", mailFrame(message)) : []),
        ...part("Text", element("pre", "plain", message.text)),
        ...(message.calendar === null
          ? []
          : part("Calendar", element("pre", "plain", message.calendar))),
      ];

const linkIn = (text: string): string | undefined => /https?:\/\/\S+/u.exec(text)?.[0];

const detailOf = (message: Message): HTMLElement => {
  const back = element("a", "message-back", icon("back"), "All messages");
  back.href = "#";
  const link = linkIn(message.text);
  const title = element("h2", "message-title", message.subject ?? "SMS");
  return element(
    "article",
    "message",
    back,
    title,
    factsOf(message),
    ...(link === undefined ? [] : [copyButton(() => link, "Copy the link")]),
    ...bodyOf(message),
  );
};

const selectedId = (): number => Number(location.hash.slice(1));

const markSelected = (): void => {
  for (const row of list.querySelectorAll<HTMLElement>(".row")) {
    const isSelected = row.dataset["id"] === String(selectedId());
    row.classList.toggle("is-selected", isSelected);
    row.querySelector("a")?.toggleAttribute("aria-current", isSelected);
  }
};

let shownId: number | undefined;
const showDetail = (): void => {
  const chosen = state.messages.find(({ id }) => id === selectedId());
  byId("panes").classList.toggle("has-detail", chosen !== undefined);
  if (chosen?.id !== shownId) {
    shownId = chosen?.id;
    byId("detail").replaceChildren(...(chosen === undefined ? [] : [detailOf(chosen)]));
  }
  markSelected();
};

const show = (): void => {
  list.replaceChildren(...state.messages.map(rowOf));
  const isEmpty = state.messages.length === 0;
  byId("count").textContent = `${state.total} message${state.total === 1 ? "" : "s"}`;
  byId("older").hidden = !state.hasMore;
  byId("empty").hidden = !isEmpty;
  byId("empty-title").textContent =
    state.channel === ""
      ? "Nothing was to be sent yet"
      : `No ${state.channel === "sms" ? "SMS" : "mail"} was to be sent yet`;
  byId("panes").hidden = isEmpty;
  const [newest] = state.messages;
  if (wide.matches && newest !== undefined && location.hash === "") {
    history.replaceState(null, "", `#${newest.id}`);
  }
  showDetail();
};

let liveWord = "";
const setLive = (kind: StateKind, iconName: IconName, word: string): void => {
  if (word !== liveWord) {
    liveWord = word;
    replaceBadge("live", stateBadge(kind, iconName, word));
  }
};

/** What was shown below the newest page stays; what came above it is added. */
const take = (answer: Answer): void => {
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
};

const look = async (): Promise<number> => {
  const { channel } = state;
  const answer = await ask();
  if (channel === state.channel) {
    take(answer);
  }
  setLive("good", "check", "Live");
  return everyMs;
};

const refreshTimes = (): void => {
  for (const time of document.querySelectorAll<HTMLTimeElement>("time.time")) {
    time.textContent = ago(new Date(time.dateTime), new Date());
  }
};

const wait = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });

const run = async (): Promise<never> => {
  for (;;) {
    const waitMs = document.hidden
      ? everyMs
      : await look().catch(() => {
          setLive("warn", "minus", "Reconnecting");
          return afterFaultMs;
        });
    refreshTimes();
    await wait(waitMs);
  }
};

const showOlder = async (): Promise<void> => {
  const oldest = state.messages.at(-1)?.id;
  const answer = await ask(oldest);
  state.messages = [...state.messages, ...answer.messages];
  state.hasMore = answer.hasMore;
  show();
};

byId("older").addEventListener("click", () => void showOlder().catch(() => undefined));
byId("channels").addEventListener("click", (event) => {
  const { target } = event;
  const button = target instanceof Element ? target.closest("button") : null;
  const channel = button?.dataset["channel"];
  if (channel === undefined) {
    return;
  }
  state.channel = channel;
  state.messages = [];
  state.known = "";
  history.replaceState(null, "", location.pathname);
  for (const tab of byId("channels").querySelectorAll("button")) {
    tab.setAttribute("aria-pressed", String(tab.dataset["channel"] === channel));
  }
  void look().catch(() => undefined);
});
addEventListener("hashchange", () => {
  showDetail();
  if (!wide.matches) {
    scrollTo(0, 0);
  }
});
void run();
