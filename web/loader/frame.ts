/**
 * Keeps the boxes when the host's page navigates during a call: intercepts the first navigation and
 * loads the target into a full-size iframe. Same-origin pages only, because other origins cannot be
 * observed.
 */
import { element } from "./dom.ts";
import type { Fire } from "./types.ts";

const frameName = "navIframe";

export type Frame = Readonly<{
  /** Called when a call starts. */
  start(): void;
  /** Called when the last call ends: navigates the top window to the iframe's page. */
  stop(): void;
}>;

export type FrameDeps = Readonly<{
  fire: Fire;
  /** Element that stays above the iframe. */
  place: HTMLElement;
}>;

type Sent = Readonly<{ form: HTMLFormElement; submitter: HTMLElement | null }>;

/** For hosts that did not enable it. */
export const noFrame: Frame = { start: () => undefined, stop: () => undefined };

/** Whether this page runs inside the iframe. */
export function isInFrame(): boolean {
  return window.name === frameName && window.parent !== window;
}

export function createNavFrame(deps: FrameDeps): Frame {
  const move = createMove(deps);

  const isOurs = (url: URL): boolean => {
    if (url.origin !== location.origin) {
      warn(`${url.origin} is another site, so it is opened without the frame.`);
      return false;
    }
    return true;
  };

  const onClick = (event: MouseEvent): void => {
    const link =
      move.isIn() || deps.place.contains(event.target as Node) ? undefined : linkOf(event);
    const url = link === undefined ? undefined : new URL(link.href);
    if (url !== undefined && !isSamePage(url) && isOurs(url)) {
      event.preventDefault();
      move.moveIn(
        (inside) => inside.location.assign(url.href),
        () => location.assign(url.href),
      );
    }
  };

  const onSubmit = (event: SubmitEvent): void => {
    const form = event.target;
    if (move.isIn() || event.defaultPrevented || !(form instanceof HTMLFormElement)) {
      return;
    }
    const sent = { form, submitter: event.submitter };
    if (!deps.place.contains(form) && opensHereToo(sent) && isOurs(addressOfForm(sent))) {
      event.preventDefault();
      move.moveIn(
        () => sendForm(sent, frameName),
        () => sendForm(sent, ""),
      );
    }
  };

  // Listens on the window, after all handlers of the page, and ignores prevented events.
  return {
    start: () => {
      window.addEventListener("click", onClick);
      window.addEventListener("submit", onSubmit);
    },
    stop: () => {
      window.removeEventListener("click", onClick);
      window.removeEventListener("submit", onSubmit);
      move.moveOut();
    },
  };
}

function createMove({ fire, place }: FrameDeps) {
  let frame: HTMLIFrameElement | undefined;

  /** Loads the page into the iframe, then continues the navigation in it. */
  const moveIn = (goOn: (inside: Window) => void, giveUp: () => void): void => {
    const made = createFrame();
    frame = made;
    made.addEventListener(
      "load",
      () => {
        if (addressOf(made) === undefined || made.contentWindow === null) {
          warn(
            "this page cannot be shown in a frame: when it is left, the boxes of the call are removed.",
          );
          made.remove();
          frame = undefined;
          giveUp();
          return;
        }
        made.addEventListener("load", () => {
          document.title = made.contentDocument?.title ?? document.title;
        });
        fire("putInFrame", undefined);
        goOn(made.contentWindow);
      },
      { once: true },
    );
    made.src = location.href;
    document.body.insertBefore(made, place);
    made.focus();
  };

  return {
    isIn: () => frame !== undefined,
    moveIn,
    /** Navigates the top window to the iframe's URL. */
    moveOut: (): void => {
      const address = frame === undefined ? undefined : addressOf(frame);
      if (address !== undefined) {
        location.assign(address);
      }
    },
  };
}

const permissions = "microphone; camera; geolocation; display-capture";

function createFrame(): HTMLIFrameElement {
  const frame = element("iframe", {
    id: frameName,
    name: frameName,
    class: "im-nav-frame",
    allow: permissions,
    title: document.title,
  });
  // Inline, so that it works without our style sheets.
  frame.style.cssText =
    "position:fixed;top:0;left:0;width:100%;height:100%;border:0;background:#fff;z-index:2147483000";
  return frame;
}

function addressOf(frame: HTMLIFrameElement): string | undefined {
  try {
    const { href } = frame.contentWindow?.location ?? { href: "about:blank" };
    return href === "about:blank" ? undefined : href;
  } catch {
    return undefined; // another origin, or the page forbids framing
  }
}

function warn(text: string): void {
  window.console.warn(`loadAgent: ${text}`);
}

/** The link that the click would follow in this window; otherwise undefined. */
function linkOf(event: MouseEvent): HTMLAnchorElement | undefined {
  const from = event.target instanceof Element ? event.target.closest("a[href]") : null;
  const isLink = from instanceof HTMLAnchorElement && !event.defaultPrevented;
  return isLink && isPlain(event) && opensHere(from) ? from : undefined;
}

function isPlain(event: MouseEvent): boolean {
  return (
    event.button === 0 &&
    ![event.ctrlKey, event.metaKey, event.shiftKey, event.altKey].some(Boolean)
  );
}

function opensHere(link: HTMLAnchorElement): boolean {
  return (
    ["", "_self", "_top", "_parent"].indexOf(link.target) !== -1 &&
    !link.hasAttribute("download") &&
    /^https?:$/u.test(link.protocol)
  );
}

/** A fragment change is not a navigation. */
function isSamePage(url: URL): boolean {
  return url.hash !== "" && url.href.split("#")[0] === location.href.split("#")[0];
}

function opensHereToo(sent: Sent): boolean {
  return (
    (written(sent, "target") ?? "") === "" && written(sent, "method")?.toLowerCase() !== "dialog"
  );
}

function addressOfForm(sent: Sent): URL {
  return new URL(written(sent, "action") || location.href, document.baseURI);
}

/**
 * Submits a form as the browser would, including the submit button; its handlers have already run.
 */
function sendForm(sent: Sent, target: string): void {
  const { form, submitter } = sent;
  ["action", "method", "enctype"].forEach((name) => {
    const value = written(sent, name);
    if (value !== null) {
      form.setAttribute(name, value);
    }
  });
  form.setAttribute("target", target);
  const name = submitter?.getAttribute("name") ?? "";
  if (name !== "") {
    const value = submitter?.getAttribute("value") ?? "";
    form.append(element("input", { type: "hidden", name, value }));
  }
  HTMLFormElement.prototype.submit.call(form);
}

/** Reads the attribute, because a form field with this name would shadow the property. */
function written({ form, submitter }: Sent, name: string): string | null {
  return submitter?.getAttribute(`form${name}`) ?? form.getAttribute(name);
}
