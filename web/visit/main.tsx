import "./visit.css";
import { createRoot } from "react-dom/client";
import { openVisit } from "./open-visit.ts";
import { chooseLanguage, loadTexts } from "./texts.ts";
import { VisitPage } from "./visit-page.tsx";

const secret = location.pathname.split("/").filter(Boolean).pop() ?? "";

start().catch(startAgain);

async function start(): Promise<void> {
  const own = chooseLanguage(navigator.languages);
  const [ofBrowser, opened] = await Promise.all([loadTexts(own), openVisit(secret)]);
  const wanted = chooseLanguage([opened.link?.language, ...navigator.languages]);
  // Texts that cannot be loaded are no reason to show nothing.
  const words = wanted === own ? ofBrowser : await loadTexts(wanted).catch(() => ofBrowser);
  const root = document.querySelector("#root");
  if (root === null) {
    throw new Error("The page has no #root");
  }
  createRoot(root).render(<VisitPage secret={secret} opened={opened} words={words} />);
  if (window.dispatchEvent(new Event("sightline:started", { cancelable: true }))) {
    document.querySelector("#start")?.remove();
  }
}

const pauseMs = 3_000;

/** A text that could not be loaded: the notice of the page is shown until it can be. */
function startAgain(): void {
  window.dispatchEvent(new Event("sightline:starting"));
  setTimeout(() => void start().catch(startAgain), pauseMs);
}
