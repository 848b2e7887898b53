import "../shared/base.css";
import "./api-docs.css";
import { byId, element, icon } from "../shared/dom.ts";
import { revealAfter } from "../shared/reveal.ts";
import { showTexts } from "../shared/texts.ts";
import { fill } from "../shared/words.ts";
import { matching, operationsOf, type ApiDocument, type Operation } from "./document.ts";
import { methodBadge, operationView } from "./operation-view.ts";
import { language, texts } from "./texts.ts";

const find = byId("find") as HTMLInputElement;
const place = byId("operation");

function chosenId(): string {
  return decodeURIComponent(location.hash.slice(1));
}

function linkTo(operation: Operation): HTMLElement {
  const link = element(
    "a",
    "entry",
    methodBadge(operation),
    element("span", "entry-text", operation.summary ?? operation.path),
  );
  link.href = `#${encodeURIComponent(operation.id)}`;
  link.title = operation.path;
  if (operation.id === chosenId()) {
    link.setAttribute("aria-current", "true");
  }
  return element("li", "", link);
}

function groupsOf(operations: readonly Operation[]): Map<string, Operation[]> {
  const groups = new Map<string, Operation[]>();
  for (const operation of operations) {
    const name = operation.isWebhook ? texts.webhooks : operation.group;
    groups.set(name, [...(groups.get(name) ?? []), operation]);
  }
  return groups;
}

function showList(operations: readonly Operation[]): void {
  const found = matching(operations, find.value);
  byId("list").replaceChildren(
    ...[...groupsOf(found)].flatMap(([name, some]) => [
      element("p", "group", name),
      element("ul", "entries", ...some.map(linkTo)),
    ]),
  );
  const count = fill(texts.found, { count: String(found.length), all: String(operations.length) });
  byId("found").textContent = found.length === 0 ? texts.nothing : count;
}

function back(): HTMLElement {
  const link = element("a", "back", icon("back"), texts.back);
  link.href = "#";
  return link;
}

function showChosen(document: ApiDocument, operations: readonly Operation[]): void {
  const id = chosenId();
  const chosen = operations.find((one) => one.id === id);
  window.document.body.classList.toggle("has-chosen", id !== "");
  if (chosen !== undefined) {
    place.replaceChildren(back(), ...operationView(document, chosen));
  } else if (id === "") {
    const [first] = operations;
    place.replaceChildren(...(first === undefined ? [] : operationView(document, first)));
  } else {
    place.replaceChildren(back(), element("p", "hint", texts.unknown));
  }
  scrollTo(0, 0);
}

async function start(): Promise<void> {
  showTexts(texts, { language });
  find.placeholder = texts.find;
  const response = await fetch("/api/openapi.json");
  if (!response.ok) {
    throw new Error(String(response.status));
  }
  const document = (await response.json()) as ApiDocument;
  const operations = operationsOf(document);
  showList(operations);
  showChosen(document, operations);
  find.addEventListener("input", () => showList(operations));
  addEventListener("hashchange", () => {
    showList(operations);
    showChosen(document, operations);
    place.focus({ preventScroll: true });
  });
}

revealAfter(start().catch(() => place.replaceChildren(element("p", "hint", texts.failed))));
