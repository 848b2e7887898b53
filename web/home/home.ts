import "../look/base.css";
import "./home.css";
import { byId, replaceBadge, stateBadge, type IconName, type StateKind } from "../look/dom.ts";
import { exampleSteps, type Examples } from "../look/examples.ts";

const everyMs = 5000;

type Home = Readonly<{
  inboxUrl: string | null;
  hasOutbox: boolean;
  hasLoaderDemo: boolean;
  examples: Examples;
}>;

let readyWord = "";
/** The same word again is not said again. */
const setReady = (kind: StateKind, iconName: IconName, word: string): void => {
  if (word !== readyWord) {
    readyWord = word;
    replaceBadge("ready", stateBadge(kind, iconName, word));
  }
};

const checkReady = async (): Promise<void> => {
  try {
    const { ok } = await fetch("/readyz", { cache: "no-store" });
    if (ok) {
      setReady("good", "check", "Ready");
    } else {
      setReady("bad", "cross", "Not ready");
    }
  } catch {
    setReady("bad", "cross", "Not reachable");
  }
  setTimeout(() => void checkReady(), everyMs);
};

const fill = async (): Promise<void> => {
  const response = await fetch("/home.json", { cache: "no-store" });
  const { inboxUrl, hasOutbox, hasLoaderDemo, examples } = (await response.json()) as Home;
  byId("steps").replaceChildren(exampleSteps(examples));
  byId("outbox").hidden = !hasOutbox;
  byId("loader-demo").hidden = !hasLoaderDemo;
  if (inboxUrl !== null) {
    byId("inbox-link").setAttribute("href", inboxUrl);
    byId("inbox-text").textContent =
      "The built-in receiver: watch the webhooks of your tickets arrive, and whether their " +
      "signatures are right.";
  }
};

void fill();
void checkReady();
