import { copyButton } from "../shared/copy.ts";
import { element, icon, stateBadge } from "../shared/dom.ts";
import { rowTo } from "../shared/live-list.ts";
import { pretty } from "../shared/pretty.ts";
import {
  describe,
  isExact,
  isMasked,
  sizeOf,
  standingOf,
  whyNotVerified,
  type InboxRequest,
} from "./format.ts";
import { exact, language, texts, timeOf } from "./words.ts";

/** Bodies are untrusted: one that fails to render affects only its own row. */
type Show = (request: InboxRequest) => HTMLElement;

/** A line of the list. */
export const rowOf: Show = (request) => rowTo(request.id, guarded(lineOf, plainLine)(request));

const bodyPart: Show = (request) => {
  const formatted = pretty(request.body);
  const copy = copyButton(() => request.body);
  const notes = isExact(request.body) ? [] : [note(texts.not_exact)];
  if (formatted === undefined) {
    const shown = request.body === "" ? texts.empty_body : request.body;
    return section(texts.body, [copy], ...notes, element("pre", "code body", shown));
  }
  const views = {
    pretty: highlighted(formatted),
    exact: element("pre", "code body", request.body),
  };
  views.exact.hidden = true;
  const exactLabel = isExact(request.body) ? texts.exact : texts.unformatted;
  const toggle = element("button", "button", exactLabel);
  toggle.type = "button";
  toggle.addEventListener("click", () => {
    const isPretty = views.pretty.hidden;
    views.pretty.hidden = !isPretty;
    views.exact.hidden = isPretty;
    toggle.textContent = isPretty ? exactLabel : texts.formatted;
  });
  return section(texts.body, [toggle, copy], ...notes, views.pretty, views.exact);
};

const fullDetail: Show = (request) => {
  const { title, about } = describe(request, texts);
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
        inLine(
          about,
          ...standingOf(request, texts),
          sizeOf(request.body, language) ?? texts.no_body,
        ),
      ),
    ),
    element("p", "detail-time", exact(arrived), " · ", timeOf(request.received, "")),
    ...(request.verified === true ? [] : [element("p", "why", whyNotVerified(request, texts))]),
    ...(signature.length === 0
      ? []
      : [
          section(
            texts.webhook_headers,
            [copyButton(() => asText(signature))],
            headerTable(signature),
          ),
        ]),
    bodyPart(request),
    section(
      texts.headers,
      [copyButton(() => asText(request.headers))],
      ...(request.headers.some(isMasked) ? [note(texts.masked)] : []),
      headerTable(request.headers),
    ),
  );
};

const plainDetail: Show = ({ body }) =>
  element("div", "detail", backLink(), section(texts.body, [], element("pre", "code body", body)));

/** The details of one request, from the verdict to the headers. */
export const detailOf = guarded(fullDetail, plainDetail);

function guarded<Shown extends HTMLElement>(
  show: (request: InboxRequest) => Shown,
  instead: (request: InboxRequest) => Shown,
) {
  return (request: InboxRequest): Shown => {
    try {
      return show(request);
    } catch {
      return instead(request);
    }
  };
}

function lineOf(request: InboxRequest): HTMLAnchorElement {
  const { title, about } = describe(request, texts);
  const link = element(
    "a",
    "row-link",
    element("span", "row-title", title),
    timeOf(request.received),
    element("span", "row-about", inLine(about, ...standingOf(request, texts))),
    badgeOf(request),
  );
  return link;
}

function inLine(...parts: readonly string[]): string {
  return parts.filter(Boolean).join(" · ");
}

function badgeOf({ verified }: InboxRequest): HTMLElement {
  if (verified === true) {
    return stateBadge("good", "check", texts.verified);
  }
  return verified === false
    ? stateBadge("bad", "cross", texts.not_verified)
    : stateBadge("none", "minus", texts.no_secret);
}

function plainLine() {
  return element("a", "row-link", element("span", "row-title", texts.other));
}

function headerTable(headers: InboxRequest["headers"]): HTMLElement {
  return element(
    "dl",
    "headers",
    ...headers.flatMap((header) => [
      element("dt", "", header[0]),
      element("dd", "", header[1], ...meaningOf(header)),
    ]),
  );
}

/** `webhook-timestamp` as a readable time, beside its seconds. */
function meaningOf([name, value]: readonly [string, string]): (Node | string)[] {
  return name.toLowerCase() === "webhook-timestamp" && /^\d{1,12}$/u.test(value)
    ? [" ", element("span", "meaning", exact(new Date(Number(value) * 1000)))]
    : [];
}

function section(
  title: string,
  aside: readonly HTMLElement[],
  ...content: HTMLElement[]
): HTMLElement {
  return element(
    "section",
    "part",
    element("div", "part-head", element("h3", "", title), ...aside),
    ...content,
  );
}

function asText(headers: InboxRequest["headers"]): string {
  return headers.map(([name, value]) => `${name}: ${value}`).join("\n");
}

/** Highlights JSON keys. Uses text nodes, because the input is untrusted. */
function highlighted(json: string): HTMLElement {
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
}

function note(text: string): HTMLElement {
  return element("p", "note", text);
}

function backLink(): HTMLElement {
  const back = element("a", "button back", icon("back"), texts.all);
  back.href = "#";
  return back;
}
