import "../shared/base.css";
import "./home.css";
import { byId, replaceBadge, stateBadge, type IconName, type StateKind } from "../shared/dom.ts";
import { exampleSteps, type Examples } from "../shared/examples.ts";
import { revealAfter } from "../shared/reveal.ts";
import { showTexts, textsFor } from "../shared/texts.ts";
import en from "./texts/en.json" with { type: "json" };
import fr from "./texts/fr.json" with { type: "json" };

const { texts, language } = textsFor({ en, fr });

const everyMs = 5000;

type Home = Readonly<{
  inboxUrl: string | null;
  hasMailbox: boolean;
  hasLoaderDemo: boolean;
  examples: Examples;
}>;

let readyWord = "";
/** Announces changes only. */
function setReady(kind: StateKind, iconName: IconName, word: string): void {
  if (word !== readyWord) {
    readyWord = word;
    replaceBadge("ready", stateBadge(kind, iconName, word));
  }
}

async function checkReady(): Promise<void> {
  try {
    const { ok } = await fetch("/readyz", { cache: "no-store" });
    if (ok) {
      setReady("good", "check", texts.ready);
    } else {
      setReady("bad", "cross", texts.not_ready);
    }
  } catch {
    setReady("bad", "cross", texts.not_reachable);
  }
  setTimeout(() => void checkReady(), everyMs);
}

async function fill(): Promise<void> {
  const response = await fetch("/home.json", { cache: "no-store" });
  const { inboxUrl, hasMailbox, hasLoaderDemo, examples } = (await response.json()) as Home;
  byId("steps").replaceChildren(exampleSteps(examples));
  byId("mailbox").hidden = !hasMailbox;
  byId("loader-demo").hidden = !hasLoaderDemo;
  if (inboxUrl !== null) {
    byId("inbox-link").setAttribute("href", inboxUrl);
    byId("inbox-text").textContent = texts.inbox_text;
  }
}

showTexts(texts, { language });
revealAfter(Promise.all([fill(), checkReady()]));
