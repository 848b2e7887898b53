import { copyButton, element, icon, stateBadge } from "../look/dom.ts";
import {
  ago,
  bytes,
  describe,
  exact,
  isExact,
  isMasked,
  pretty,
  standingOf,
  whyNotVerified,
  type InboxRequest,
} from "./format.ts";

const badgeOf = ({ verified }: InboxRequest): HTMLElement => {
  if (verified === true) {
    return stateBadge("good", "check", "Verified");
  }
  return verified === false
    ? stateBadge("bad", "cross", "Not verified")
    : stateBadge("none", "minus", "No secret");
};

/** A time that says how long ago it was; the page keeps it up to date. */
const timeOf = (iso: string, className = "time"): HTMLElement => {
  const date = new Date(iso);
  const made = element("time", className, ago(date, new Date()));
  made.dateTime = iso;
  made.title = exact(date);
  return made;
};

/** Shows all times on the page anew. */
export const refreshTimes = (root: ParentNode): void => {
  const now = new Date();
  for (const time of root.querySelectorAll("time")) {
    const text = ago(new Date(time.dateTime), now);
    if (time.textContent !== text) {
      time.textContent = text;
    }
  }
};

/** Bodies are anybody's: one that cannot be shown takes nothing but its own place. */
type Show = (request: InboxRequest) => HTMLElement;

const guarded =
  <Shown extends HTMLElement>(
    show: (request: InboxRequest) => Shown,
    instead: (request: InboxRequest) => Shown,
  ) =>
  (request: InboxRequest): Shown => {
    try {
      return show(request);
    } catch {
      return instead(request);
    }
  };

const lineOf = (request: InboxRequest): HTMLAnchorElement => {
  const { title, about } = describe(request);
  const link = element(
    "a",
    "row-link",
    element("span", "row-title", title),
    timeOf(request.received),
    element("span", "row-about", [about, ...standingOf(request)].join(" · ")),
    badgeOf(request),
  );
  return link;
};

const plainLine = () => element("a", "row-link", element("span", "row-title", "Other request"));

/** A line of the list. */
export const rowOf: Show = (request) => {
  const link = guarded(lineOf, plainLine)(request);
  link.href = `#${request.id}`;
  const row = element("li", "row", link);
  row.dataset["id"] = String(request.id);
  return row;
};

/** The time that `webhook-timestamp` stands for, beside its seconds. */
const meaningOf = ([name, value]: readonly [string, string]): (Node | string)[] =>
  name.toLowerCase() === "webhook-timestamp" && /^\d{1,12}$/u.test(value)
    ? [" ", element("span", "meaning", exact(new Date(Number(value) * 1000)))]
    : [];

const headerTable = (headers: InboxRequest["headers"]): HTMLElement =>
  element(
    "dl",
    "headers",
    ...headers.flatMap((header) => [
      element("dt", "", header[0]),
      element("dd", "", header[1], ...meaningOf(header)),
    ]),
  );

const section = (
  title: string,
  aside: readonly HTMLElement[],
  ...content: HTMLElement[]
): HTMLElement =>
  element(
    "section",
    "part",
    element("div", "part-head", element("h3", "", title), ...aside),
    ...content,
  );

const asText = (headers: InboxRequest["headers"]): string =>
  headers.map(([name, value]) => `${name}: ${value}`).join("\n");

/** Keys of JSON stand out from their values. Written as text nodes: nothing here is trusted. */
const highlighted = (json: string): HTMLElement => {
  const code = element("pre", "code body");
  for (const line of json.split("\n")) {
    const key = /^(\s*)("(?:[^"\\]|\\.)*")(: )/u.exec(line);
    if (key === null) {
      code.append(`${line}\n`);
    } else {
      const [all, indent = "", name = "", colon = ""] = key;
      code.append(indent, element("span", "key", name), colon, `${line.slice(all.length)}\n`);
    }
  }
  return code;
};

const note = (text: string): HTMLElement => element("p", "note", text);

const notExact =
  "Not the exact bytes: each � stands for bytes that are not UTF-8, or for NUL. The signature was " +
  "checked against what really came.";
const masked =
  "•••• stands for a value that is not kept: a webhook's own headers may hold keys, and whoever " +
  "has this address can read this page.";

const bodyPart: Show = (request) => {
  const formatted = pretty(request.body);
  const copy = copyButton(() => request.body);
  const notes = isExact(request.body) ? [] : [note(notExact)];
  if (formatted === undefined) {
    const shown = request.body === "" ? "(empty)" : request.body;
    return section("Body", [copy], ...notes, element("pre", "code body", shown));
  }
  const views = {
    pretty: highlighted(formatted),
    exact: element("pre", "code body", request.body),
  };
  views.exact.hidden = true;
  const exactLabel = isExact(request.body) ? "Exact bytes" : "Unformatted";
  const toggle = element("button", "button", exactLabel);
  toggle.type = "button";
  toggle.addEventListener("click", () => {
    const isPretty = views.pretty.hidden;
    views.pretty.hidden = !isPretty;
    views.exact.hidden = isPretty;
    toggle.textContent = isPretty ? exactLabel : "Formatted";
  });
  return section("Body", [toggle, copy], ...notes, views.pretty, views.exact);
};

const backLink = (): HTMLElement => {
  const back = element("a", "button back", icon("back"), "All requests");
  back.href = "#";
  return back;
};

const fullDetail: Show = (request) => {
  const { title, about } = describe(request);
  const signature = request.headers.filter(([name]) => name.toLowerCase().startsWith("webhook-"));
  const arrived = new Date(request.received);
  return element(
    "div",
    "detail",
    backLink(),
    element(
      "div",
      "detail-head",
      element("h2", "mono detail-title", title),
      badgeOf(request),
      element(
        "span",
        "detail-about",
        [about, ...standingOf(request), bytes(request.body)].join(" · "),
      ),
    ),
    element("p", "detail-time", exact(arrived), " · ", timeOf(request.received, "")),
    ...(request.verified === true ? [] : [element("p", "why", whyNotVerified(request))]),
    ...(signature.length === 0
      ? []
      : [
          section("Webhook headers", [copyButton(() => asText(signature))], headerTable(signature)),
        ]),
    bodyPart(request),
    section(
      "All headers",
      [copyButton(() => asText(request.headers))],
      ...(request.headers.some(isMasked) ? [note(masked)] : []),
      headerTable(request.headers),
    ),
  );
};

const plainDetail: Show = ({ body }) =>
  element("div", "detail", backLink(), section("Body", [], element("pre", "code body", body)));

/** Everything about one request, from the verdict down to the last header. */
export const detailOf = guarded(fullDetail, plainDetail);
