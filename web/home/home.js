import { stateBadge } from "../look/dom.js";
import { exampleSteps } from "../look/examples.js";

const everyMs = 5000;
const byId = (id) => document.getElementById(id);

const setReady = (kind, iconName, word) => {
  const badge = stateBadge(kind, iconName, word);
  badge.classList.add("bar-end");
  badge.id = "ready";
  badge.setAttribute("role", "status");
  byId("ready").replaceWith(badge);
};

const checkReady = async () => {
  try {
    const { ok } = await fetch("/readyz", { cache: "no-store" });
    setReady(...(ok ? ["good", "check", "Ready"] : ["bad", "cross", "Not ready"]));
  } catch {
    setReady("bad", "cross", "Not reachable");
  }
  setTimeout(() => void checkReady(), everyMs);
};

const fill = async () => {
  const { inboxUrl, hasOutbox, examples } = await (await fetch("/assets/home.json")).json();
  byId("steps").replaceChildren(exampleSteps(examples));
  byId("outbox").hidden = !hasOutbox;
  if (inboxUrl !== null) {
    byId("inbox-link").href = inboxUrl;
    byId("inbox-text").textContent =
      "The built-in receiver: watch the webhooks of your tickets arrive, and whether their " +
      "signatures are right.";
  }
};

void fill();
void checkReady();
