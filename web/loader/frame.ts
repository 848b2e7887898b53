/**
 * Keeps the boxes while the host's page changes during a call: the first navigation is caught, the
 * page is loaded anew in a frame over itself, and goes on in there. Pages of the host's own origin
 * only: we could not see where others go.
 */
import { element } from "./dom.ts";
import type { Fire } from "./types.ts";

const frameName = "navIframe";

export type Frame = Readonly<{
  /** A call began. */
  start(): void;
  /** The last call ended: the top goes to where the frame is. */
  stop(): void;
}>;

export type FrameDeps = Readonly<{
  fire: Fire;
  /** Stays above the frame. */
  place: HTMLElement;
}>;

type Sent = Readonly<{ form: HTMLFormElement; submitter: HTMLElement | null }>;

/** For hosts that did not ask for it. */
export const noFrame: Frame = { start: () => undefined, stop: () => undefined };

/** Whether this page was loaded into the frame. */
export function isInFrame(): boolean {
  return window.name === frameName && window.parent !== window;
}

export function createNavFrame(deps: FrameDeps): Frame {
  const move = createMove(deps);

  const isOurs = (url: URL): boolean => {
    if (url.origin !== location.origin) {
      warn(`${url.origin} is another site: it is opened without the frame.`);
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

  // On the window, after all handlers of the page: what they prevent is no navigation.
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

  /** Loads the page anew in the frame, and then goes on in it. */
  const moveIn = (goOn: (inside: Window) => void, giveUp: () => void): void => {
    const made = createFrame();
    frame = made;
    made.addEventListener(
      "load",
      () => {
        if (addressOf(made) === undefined || made.contentWindow === null) {
          warn("this page cannot be shown in a frame, so the call's boxes go with it.");
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
    /** Where the frame is, if there is one. */
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
  // Without any of our styles, too.
  frame.style.cssText =
    "position:fixed;top:0;left:0;width:100%;height:100%;border:0;background:#fff;z-index:2147483000";
  return frame;
}

function addressOf(frame: HTMLIFrameElement): string | undefined {
  try {
    const { href } = frame.contentWindow?.location ?? { href: "about:blank" };
    return href === "about:blank" ? undefined : href;
  } catch {
    return undefined; // another origin, or the page does not let itself be framed
  }
}

function warn(text: string): void {
  window.console.warn(`loadAgent: ${text}`);
}

/** What the click would load in this window; undefined where it does something else. */
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

/** A place on the same page is no navigation. */
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

/** A form as it would have been sent, with what the pressed button says; its handlers ran before. */
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

/** As it was written: a form's own fields may have these names, too, and would be found instead. */
function written({ form, submitter }: Sent, name: string): string | null {
  return submitter?.getAttribute(`form${name}`) ?? form.getAttribute(name);
}
