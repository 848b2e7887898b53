/** The call in a box: toolbar, duration, and the container of the agent's page. */
import { element, iconButton, textButton } from "./dom.ts";
import { formatDuration } from "./duration.ts";
import type { Texts } from "./texts.ts";

/** Why a call is in a tab instead of the box. */
export type NotInBox = "domain" | "refused" | "other";

export type CallView = Readonly<{
  bar: HTMLElement;
  /** For the head, which is also seen in a minimized box. Or that the customer waits. */
  duration: HTMLElement;
  /** Contains the frame. It never moves in the document: that would load the frame again. */
  place: HTMLElement;
  showTab(call: Readonly<{ blockedUrl: string | undefined; why: NotInBox | undefined }>): void;
  /** Shows the place instead of the messages. */
  showPage(): void;
  setStatus(status: keyof Texts["callStates"]): void;
  /** Since when the agent is in the call; undefined: not in it. */
  setSince(sinceMs: number | undefined): void;
  hide(): void;
  /** The page of the call is shown, not the messages. */
  isPageShown(): boolean;
  /** Leaves the large size. Returns whether it had it. */
  reduce(): boolean;
}>;

export type CallViewDeps = Readonly<{
  texts: Texts;
  endCall(): void;
  openTab(): void;
  /** What is shown, or its size, changed. */
  onLayout(): void;
  focusInput(): void;
  /** The box. */
  root: HTMLElement;
}>;

export function createCallView(deps: CallViewDeps): CallView {
  const { texts } = deps;
  const parts = createParts(deps);
  const { text, buttons, end, bar, place, duration } = parts;
  const layout = createLayout(deps, parts);
  const show = (isInBox: boolean): void => {
    bar.hidden = false;
    buttons.forEach((button) => {
      button.hidden = !isInBox;
    });
    end.textContent = isInBox ? texts.leaveCall : texts.endCall;
    duration.set(undefined);
    layout.setPage(isInBox);
  };
  return {
    bar,
    place,
    duration: duration.root,
    showTab: ({ blockedUrl, why }) => {
      show(false);
      const reason = why === undefined ? "" : `${texts.notInBox[why]} `;
      text.textContent = reason + (blockedUrl === undefined ? texts.calling : texts.callBlocked);
      if (blockedUrl !== undefined) {
        const link = { href: blockedUrl, target: "_blank", rel: "noopener" };
        text.append(" ", element("a", link, [texts.openCall]));
      }
    },
    showPage: () => {
      if (!layout.isPage()) {
        show(true);
      }
    },
    setStatus: (status) => {
      text.textContent = texts.callStates[status];
      if (status === "ringing") {
        duration.say(texts.callStates.ringing);
      } else if (status === "ready") {
        duration.set(undefined);
      }
    },
    setSince: duration.set,
    hide: () => {
      const hadFocus = bar.contains(document.activeElement);
      bar.hidden = true;
      duration.set(undefined);
      layout.setPage(false);
      if (hadFocus) {
        deps.focusInput();
      }
    },
    isPageShown: layout.isPage,
    reduce: layout.reduce,
  };
}

type Parts = ReturnType<typeof createParts>;

function createParts({ texts, endCall, openTab }: CallViewDeps) {
  const text = element("span", { class: "im-call-text", role: "status" });
  const messages = iconButton("text", texts.showMessages);
  const large = iconButton("large", texts.large);
  const buttons = [messages, large, iconButton("tab", texts.openTab, openTab)];
  const end = textButton("", endCall);
  const bar = element("div", { class: "im-call", hidden: "" }, [text, ...buttons, end]);
  const place = element("div", { class: "im-place", hidden: "" });
  return { text, messages, large, buttons, end, bar, place, duration: createDuration(texts) };
}

/** Whether the page or the messages are shown, and how large. */
function createLayout(deps: CallViewDeps, { messages, large, place }: Parts) {
  const { classList } = deps.root;
  const isPage = (): boolean => !place.hidden;
  const isLarge = (): boolean => classList.contains("im-large");
  const setLarge = (next: boolean): void => {
    classList.toggle("im-large", next);
    large.setAttribute("aria-pressed", String(next));
  };
  const setPage = (isShown: boolean): void => {
    const hadFocus = place.contains(document.activeElement);
    place.hidden = !isShown;
    classList.toggle("im-video", isShown);
    messages.setAttribute("aria-pressed", String(!isShown));
    setLarge(isShown && isLarge());
    large.disabled = !isShown;
    deps.onLayout();
    if (hadFocus && !isShown) {
      deps.focusInput();
    }
  };
  messages.addEventListener("click", () => setPage(!isPage()));
  large.addEventListener("click", () => setLarge(!isLarge()));
  return {
    isPage,
    setPage,
    reduce: (): boolean => {
      const wasLarge = isLarge();
      setLarge(false);
      return wasLarge;
    },
  };
}

function createDuration({ duration }: Texts) {
  const root = element("span", { class: "im-duration", hidden: "" });
  let timer: number | undefined;
  const show = (role: "timer" | "status", text: string): void => {
    root.hidden = false;
    root.setAttribute("role", role);
    root.textContent = text;
  };
  const clear = (): void => {
    clearInterval(timer);
    root.hidden = true;
    root.removeAttribute("aria-label");
  };
  return {
    root,
    /** A text in its place. */
    say: (text: string): void => {
      clear();
      show("status", text);
    },
    set: (sinceMs: number | undefined): void => {
      clear();
      if (sinceMs !== undefined) {
        const showPassed = (): void => {
          const passed = formatDuration(Date.now() - sinceMs);
          show("timer", passed);
          root.setAttribute("aria-label", duration(passed));
        };
        showPassed();
        timer = window.setInterval(showPassed, 1_000);
      }
    },
  };
}
