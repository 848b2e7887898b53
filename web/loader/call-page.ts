/**
 * The agent's page of a ticket's call, in an iframe of a box. The token of its address is exchanged
 * for a cookie and dropped by a redirect; `location.replace` keeps it out of the host's document.
 */
import { element } from "./dom.ts";

export type CallPageHandlers = Readonly<{
  /** The browser keeps no cookie of the frame. */
  "signed-out": () => void;
  /** Whether the customer waits for the agent's answer. */
  ringing: (message: Readonly<{ isRinging?: unknown }>) => void;
  joined: () => void;
  left: () => void;
  snapshot: () => void;
  /** The call is over for everybody. */
  ended: () => void;
}>;

export type CallPageWish = Readonly<{
  /** Origin of the platform. */
  root: string;
  address: string;
  title: string;
  place: HTMLElement;
}>;

export type CallPage = Readonly<{
  frame: HTMLIFrameElement;
  /** `failed`: this browser or this site refuses the frame. */
  outcome: Promise<"ready" | "failed" | "closed">;
  close(): void;
}>;

/** From the load of the frame to the first message of its script, which runs before. */
const silenceMs = 2_000;

const patienceMs = 30_000;

const permissions = [
  ...["microphone", "camera", "geolocation", "display-capture"],
  ...["autoplay", "fullscreen"],
];

export function openCallPage(wish: CallPageWish, handlers: CallPageHandlers): CallPage {
  const { root, address, title, place } = wish;
  // With the origin, because a frame without `src` would delegate to the host's.
  const allow = permissions.map((name) => `${name} ${root}`).join("; ");
  const frame = element("iframe", { class: "im-frame", title, allow });
  let finish: (outcome: "ready" | "failed" | "closed") => void = () => undefined;
  const outcome = new Promise<"ready" | "failed" | "closed">((resolve) => {
    finish = resolve;
  });
  const fail = (): void => finish("failed");
  const onMessage = ({ source, origin, data }: MessageEvent): void => {
    const message = data as { source?: unknown; type?: unknown; isRinging?: unknown } | null;
    if (
      source !== frame.contentWindow ||
      origin !== root ||
      typeof message !== "object" ||
      message?.source !== "sightline"
    ) {
      return;
    }
    if (message.type === "ready") {
      finish("ready");
    }
    const { [message.type as keyof CallPageHandlers]: handle } = handlers;
    handle?.(message);
  };
  const onViolation = ({ effectiveDirective, blockedURI }: SecurityPolicyViolationEvent): void => {
    if (effectiveDirective === "frame-src" && blockedURI.indexOf(root) === 0) {
      fail();
    }
  };
  window.addEventListener("message", onMessage);
  document.addEventListener("securitypolicyviolation", onViolation);
  place.append(frame);
  frame.addEventListener("load", () => setTimeout(fail, isBlank(frame) ? patienceMs : silenceMs));
  setTimeout(fail, patienceMs);
  frame.contentWindow?.location.replace(address);
  return {
    frame,
    outcome,
    close: () => {
      window.removeEventListener("message", onMessage);
      document.removeEventListener("securitypolicyviolation", onViolation);
      finish("closed");
      frame.remove();
    },
  };
}

/** Some browsers fire `load` for the empty document, too. */
function isBlank({ contentWindow }: HTMLIFrameElement): boolean {
  try {
    return contentWindow?.location.href === "about:blank";
  } catch {
    return false; // another origin
  }
}
