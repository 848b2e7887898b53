import { ago, exact } from "../inbox/format.js";
import { copyButton, element, icon, stateBadge } from "../look/dom.js";

const everyMs = 2000;
const afterFaultMs = 4000;

const byId = (id) => document.getElementById(id);
const list = byId("list");
const wide = matchMedia("(min-width: 800px)");

/** Newest first. `known` says whether the list has to be drawn again. */
const state = { messages: [], total: 0, hasMore: false, channel: "", known: "" };

const ask = async (before) => {
  const query = new URLSearchParams({
    ...(state.channel === "" ? {} : { channel: state.channel }),
    ...(before === undefined ? {} : { before }),
  });
  const response = await fetch(`/outbox/messages?${query}`);
  if (!response.ok) {
    throw new Error(`status ${response.status}`);
  }
  return response.json();
};

const channelWords = { email: "Mail", sms: "SMS" };

const firstLine = (text) => text.split("\n").find((line) => line.trim() !== "") ?? "";

const timeOf = (message) => {
  const date = new Date(message.created);
  const time = element("time", "time", ago(date, new Date()));
  time.dateTime = message.created;
  time.title = exact(date);
  return time;
};

const rowOf = (message) => {
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
  row.dataset.id = String(message.id);
  return row;
};

const factsOf = (message) => {
  const facts = [
    ["To", message.to],
    ["From", message.from === "" ? "the provider's number" : message.from],
    ["When", exact(new Date(message.created))],
    ...(message.segments === null ? [] : [["Parts", String(message.segments)]]),
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
const mailFrame = (message) => {
  const frame = element("iframe", "mail");
  frame.setAttribute("sandbox", "");
  frame.referrerPolicy = "no-referrer";
  frame.title = "The mail as a reader shows it";
  frame.src = `/outbox/messages/${message.id}/mail`;
  return frame;
};

const part = (title, ...content) => [element("h3", "part-title", title), ...content];

const bodyOf = (message) =>
  message.channel === "sms"
    ? [element("div", "bubble", message.text)]
    : [
        ...(message.hasHtml ? part("Mail", mailFrame(message)) : []),
        ...part("Text", element("pre", "plain", message.text)),
        ...(message.calendar === null
          ? []
          : part("Calendar", element("pre", "plain", message.calendar))),
      ];

const linkIn = (text) => /https?:\/\/\S+/u.exec(text)?.[0];

const detailOf = (message) => {
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

const selectedId = () => Number(location.hash.slice(1));

const markSelected = () => {
  for (const row of list.children) {
    const isSelected = row.dataset.id === String(selectedId());
    row.classList.toggle("is-selected", isSelected);
    row.querySelector("a")?.toggleAttribute("aria-current", isSelected);
  }
};

let shownId;
const showDetail = () => {
  const chosen = state.messages.find(({ id }) => id === selectedId());
  byId("panes").classList.toggle("has-detail", chosen !== undefined);
  if (chosen?.id !== shownId) {
    shownId = chosen?.id;
    byId("detail").replaceChildren(...(chosen === undefined ? [] : [detailOf(chosen)]));
  }
  markSelected();
};

const show = () => {
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
const setLive = (kind, iconName, word) => {
  if (word !== liveWord) {
    liveWord = word;
    const badge = stateBadge(kind, iconName, word);
    badge.classList.add("bar-end");
    badge.id = "live";
    badge.setAttribute("role", "status");
    byId("live").replaceWith(badge);
  }
};

/** What was shown below the newest page stays; what came above it is added. */
const take = (answer) => {
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

const look = async () => {
  const { channel } = state;
  const answer = await ask();
  if (channel === state.channel) {
    take(answer);
  }
  setLive("good", "check", "Live");
  return everyMs;
};

const refreshTimes = () => {
  for (const time of document.querySelectorAll("time.time")) {
    time.textContent = ago(new Date(time.dateTime), new Date());
  }
};

const wait = (ms) =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });

const run = async () => {
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

const showOlder = async () => {
  const oldest = state.messages.at(-1)?.id;
  const answer = await ask(oldest);
  state.messages = [...state.messages, ...answer.messages];
  state.hasMore = answer.hasMore;
  show();
};

byId("older").addEventListener("click", () => void showOlder().catch(() => undefined));
byId("channels").addEventListener("click", (event) => {
  const channel = event.target.closest("button")?.dataset.channel;
  if (channel === undefined) {
    return;
  }
  state.channel = channel;
  state.messages = [];
  state.known = "";
  history.replaceState(null, "", location.pathname);
  for (const tab of byId("channels").children) {
    tab.setAttribute("aria-pressed", String(tab.dataset.channel === channel));
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
