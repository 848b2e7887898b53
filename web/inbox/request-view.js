import { copyButton, element, icon, stateBadge } from "../look/dom.js";
import { ago, bytes, describe, exact, pretty, standingOf, whyNotVerified } from "./format.js";

const badgeOf = ({ verified }) => {
  if (verified === true) {
    return stateBadge("good", "check", "Verified");
  }
  return verified === false
    ? stateBadge("bad", "cross", "Not verified")
    : stateBadge("none", "minus", "No secret");
};

/** A time that says how long ago it was; the page keeps it up to date. */
export const timeOf = (iso, className = "time") => {
  const date = new Date(iso);
  const made = element("time", className, ago(date, Date.now()));
  made.dateTime = iso;
  made.title = exact(date);
  return made;
};

/** Shows all times on the page anew. */
export const refreshTimes = (root) => {
  const now = Date.now();
  for (const time of root.querySelectorAll("time")) {
    const text = ago(new Date(time.dateTime), now);
    if (time.textContent !== text) {
      time.textContent = text;
    }
  }
};

/** A line of the list. */
export const rowOf = (request) => {
  const { title, about } = describe(request);
  const link = element(
    "a",
    "row-link",
    element("span", "row-title", title),
    timeOf(request.received),
    element("span", "row-about", [about, ...standingOf(request)].join(" · ")),
    badgeOf(request),
  );
  link.href = `#${request.id}`;
  const row = element("li", "row", link);
  row.dataset.id = String(request.id);
  return row;
};

/** The time that `webhook-timestamp` stands for, beside its seconds. */
const meaningOf = ([name, value]) =>
  name.toLowerCase() === "webhook-timestamp" && /^\d{1,12}$/u.test(value)
    ? [" ", element("span", "meaning", exact(new Date(Number(value) * 1000)))]
    : [];

const headerTable = (headers) =>
  element(
    "dl",
    "headers",
    ...headers.flatMap((header) => [
      element("dt", "", header[0]),
      element("dd", "", header[1], ...meaningOf(header)),
    ]),
  );

const section = (title, aside, ...content) =>
  element(
    "section",
    "part",
    element("div", "part-head", element("h3", "", title), ...aside),
    ...content,
  );

const asText = (headers) => headers.map(([name, value]) => `${name}: ${value}`).join("\n");

/** Keys of JSON stand out from their values. Written as text nodes: nothing here is trusted. */
const highlighted = (json) => {
  const code = element("pre", "code body");
  for (const line of json.split("\n")) {
    const key = /^(\s*)("(?:[^"\\]|\\.)*")(: )/u.exec(line);
    if (key === null) {
      code.append(`${line}\n`);
    } else {
      const [all, indent, name, colon] = key;
      code.append(indent, element("span", "key", name), colon, `${line.slice(all.length)}\n`);
    }
  }
  return code;
};

const bodyPart = (request) => {
  const formatted = pretty(request.body);
  const copy = copyButton(() => request.body);
  if (formatted === undefined) {
    const shown = request.body === "" ? "(empty)" : request.body;
    return section("Body", [copy], element("pre", "code body", shown));
  }
  const views = {
    pretty: highlighted(formatted),
    exact: element("pre", "code body", request.body),
  };
  views.exact.hidden = true;
  const toggle = element("button", "button", "Exact bytes");
  toggle.type = "button";
  toggle.addEventListener("click", () => {
    const isPretty = views.pretty.hidden;
    views.pretty.hidden = !isPretty;
    views.exact.hidden = isPretty;
    toggle.textContent = isPretty ? "Exact bytes" : "Formatted";
  });
  return section("Body", [toggle, copy], views.pretty, views.exact);
};

/** Everything about one request, from the verdict down to the last header. */
export const detailOf = (request) => {
  const { title, about } = describe(request);
  const signature = request.headers.filter(([name]) => name.toLowerCase().startsWith("webhook-"));
  const back = element("a", "button back", icon("back"), "All requests");
  back.href = "#";
  const arrived = new Date(request.received);
  return element(
    "div",
    "detail",
    back,
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
      headerTable(request.headers),
    ),
  );
};
