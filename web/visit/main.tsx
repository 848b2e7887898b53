import "./visit.css";
import { createRoot } from "react-dom/client";
import { endStart, pageRoot } from "../shared/page-root.ts";
import { openVisit } from "./open-visit.ts";
import { chooseLanguage } from "../shared/customer-language.ts";
import { loadTexts } from "./texts.ts";
import { VisitPage } from "./visit-page.tsx";

const secret = location.pathname.split("/").filter(Boolean).pop() ?? "";

start().catch(startAgain);

async function start(): Promise<void> {
  const own = chooseLanguage(navigator.languages);
  const [ofBrowser, opened] = await Promise.all([loadTexts(own), openVisit(secret)]);
  const wanted = chooseLanguage([opened.link?.language, ...navigator.languages]);
  // The page is shown even if texts cannot be loaded.
  const words = wanted === own ? ofBrowser : await loadTexts(wanted).catch(() => ofBrowser);
  createRoot(pageRoot()).render(<VisitPage secret={secret} opened={opened} words={words} />);
  endStart();
}

const pauseMs = 3_000;

/** A text that could not be loaded: the notice of the page is shown until it can be. */
function startAgain(): void {
  window.dispatchEvent(new Event("sightline:starting"));
  setTimeout(() => void start().catch(startAgain), pauseMs);
}
