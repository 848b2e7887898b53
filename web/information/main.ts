import { localeOf } from "../shared/locale.ts";
import "../shared/customer-page.css";
import { chooseLanguage, type Language } from "../shared/customer-language.ts";
import { actionButton, languageChoice, messageScreen } from "../shared/customer-view.ts";
import { byId } from "../shared/dom.ts";
import { fill } from "../shared/words.ts";
import {
  canStart,
  decline,
  findInvitation,
  type InvitationFault,
  type InvitationResult,
  type Invitation,
} from "./invitation.ts";
import { textsOf, type TextKey } from "./texts.ts";
import { doneScreen, invitationScreen, whoOf, type Words } from "./view.ts";

/** Polling interval while the page is visible. */
const everyMs = 30_000;

const code = location.pathname.split("/").filter(Boolean).pop() || "";

const state = {
  language: chooseLanguage(navigator.languages),
  /** Chosen by the user: overrides the language of the invitation. */
  isChosen: false,
  found: undefined as InvitationResult | undefined,
  isOpen: false,
  screen: "main" as "main" | "decline" | "not-declined" | "declined",
  /** The markup of what was drawn last. */
  shown: "",
};

function wordsNow(): Words {
  return {
    locale: localeOf(state.language),
    texts: textsOf[state.language],
  };
}

/** Restores the focus after a redraw. */
function sameOf(before: Element, page: HTMLElement): HTMLElement | undefined {
  const alike = [...page.querySelectorAll<HTMLElement>(before.tagName)];
  return alike.find(({ textContent: words }) => words === before.textContent);
}

/** Redraws only on a visible change, because screen readers read everything again. */
function draw(made: HTMLElement[], isAsked: boolean): void {
  const whole = made.map(({ outerHTML: markup }) => markup).join("");
  if (whole === state.shown) {
    return;
  }
  const isFirst = state.shown === "";
  state.shown = whole;
  const page = byId("page");
  const { activeElement: focused } = document;
  const wasInside = focused !== null && page.contains(focused);
  page.textContent = "";
  page.append(...made);
  const title = page.querySelector<HTMLElement>("h1");
  if (isAsked && !isFirst) {
    title?.focus();
    scrollTo(0, 0);
  } else if (wasInside) {
    (sameOf(focused, page) ?? title)?.focus({ preventScroll: true });
  }
}

function goTo(screen: typeof state.screen): void {
  state.screen = screen;
  show(true);
}

/** The platform is unreachable, or the state has changed: shows the current state instead. */
async function showNotDeclined(): Promise<void> {
  await refresh();
  const { found } = state;
  const isStill = found?.kind === "found" && found.invitation.state === "invited";
  goTo(isStill ? "not-declined" : "main");
}

function declineScreen(invitation: Invitation): HTMLElement[] {
  const { texts } = wordsNow();
  const yes = actionButton(texts.decline_yes, {
    isMain: true,
    onPress: () => {
      yes.disabled = true;
      void decline(invitation).then(
        () => goTo("declined"),
        () => void showNotDeclined(),
      );
    },
  });
  const back = actionButton(texts.back, { isMain: false, onPress: () => goTo("main") });
  const text = fill(texts.decline_text, { who: whoOf(invitation) });
  return messageScreen(texts.decline_title, text, yes, back);
}

function notDeclinedScreen(): HTMLElement[] {
  const { texts } = wordsNow();
  const retry = actionButton(texts.retry, { isMain: true, onPress: () => goTo("decline") });
  return messageScreen(texts.failed, texts.failed_text, retry);
}

function isDone({ state: ticketState, is_survey_due: isDue }: Invitation): boolean {
  return ticketState === "done" || isDue;
}

function mainScreen(invitation: Invitation): HTMLElement[] {
  const { isOpen } = state;
  const shown = {
    ...{ invitation, isOpen, words: wordsNow(), now: new Date() },
    onDecline: () => goTo("decline"),
  };
  return isDone(invitation) ? doneScreen(shown) : invitationScreen(shown);
}

function screenOf(invitation: Invitation): HTMLElement[] {
  const { texts } = wordsNow();
  switch (state.screen) {
    case "decline":
      return declineScreen(invitation);
    case "not-declined":
      return notDeclinedScreen();
    case "declined":
      return messageScreen(texts.declined, fill(texts.declined_text, { who: whoOf(invitation) }));
    case "main":
      return mainScreen(invitation);
  }
}

const faultKeys = {
  ...{ unknown: "unknown", failed: "failed", expired: "expired", cancelled: "cancelled" },
  ...{ closed: "finished", declined: "declined", deleted: "deleted" },
} as const satisfies Record<InvitationFault, TextKey>;

function showFault(kind: InvitationFault): HTMLElement[] {
  const { texts } = wordsNow();
  const key = faultKeys[kind];
  const text = key === "declined" ? texts.declined_over_text : texts[`${key}_text`];
  const retry = actionButton(texts.retry, { isMain: true, onPress: () => void refresh() });
  const actions = kind === "failed" ? [retry] : [];
  return messageScreen(texts[key], text, ...actions);
}

/** `isAsked`: the user requested it, so its title gets the focus. */
function show(isAsked = false): void {
  const { found } = state;
  document.documentElement.lang = state.language;
  if (found === undefined) {
    byId("loading").textContent = wordsNow().texts.loading;
    return;
  }
  if (found.kind !== "found") {
    document.title = wordsNow().texts[faultKeys[found.kind]];
    draw(showFault(found.kind), isAsked);
    return;
  }
  document.title = found.invitation.enterprise_name;
  draw(screenOf(found.invitation), isAsked);
}

/** In the invitation's language, unless another one was chosen here. */
function speak(found: InvitationResult): void {
  if (found.kind === "found" && !state.isChosen) {
    state.language = chooseLanguage([found.invitation.language, ...navigator.languages]);
  }
}

/** Fetches the current state; keeps the shown one if the platform is unreachable. */
async function refresh(): Promise<void> {
  const found = await findInvitation(code);
  const isKept = found.kind === "failed" && state.found?.kind === "found";
  if (state.screen === "declined" || isKept) {
    return;
  }
  state.isOpen = found.kind === "found" && (await canStart(found.invitation));
  state.screen = found.kind === "found" ? state.screen : "main";
  state.found = found;
  speak(found);
  drawFoot();
  show();
}

let footLanguage: Language | undefined;
function drawFoot(): void {
  const { texts } = wordsNow();
  if (footLanguage === state.language) {
    return;
  }
  footLanguage = state.language;
  const foot = byId("foot");
  foot.textContent = "";
  foot.append(
    ...languageChoice({
      chosen: state.language,
      label: texts.language,
      onChoose: (language) => {
        state.language = language;
        state.isChosen = true;
        drawFoot();
        show();
      },
    }),
  );
}

function isSeen(): boolean {
  return document.visibilityState === "visible";
}

show();
void refresh();
setInterval(() => void (isSeen() && refresh()), everyMs);
document.addEventListener("visibilitychange", () => void (isSeen() && refresh()));
