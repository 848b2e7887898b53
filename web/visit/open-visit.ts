/** The initial state: the link, and the visit of this tab or a new one. */
import {
  beginVisit,
  createGuestApi,
  faultOf,
  readLink,
  statusOf,
  type GuestApi,
} from "./guest-api.ts";
import type { GuestLink, PositionRequest, Visit } from "./guest-types.ts";
import { findKeptVisit, keepVisit, keptDevices, type KeptVisit } from "./kept-visit.ts";
import { screenOfRefusal, screenOfVisit, type Screen } from "./visit-screen.ts";

export type OpenedVisit = Readonly<{
  screen: Screen;
  link?: GuestLink;
  token?: string;
  position?: PositionRequest | undefined;
}>;

/** Never throws: a fault is a screen. */
export async function openVisit(secret: string): Promise<OpenedVisit> {
  const kept = findKeptVisit(secret);
  try {
    const link = await readLink(secret);
    return (
      (kept === undefined ? undefined : await resumeVisit(kept, link)) ??
      (await beginNewVisit(secret, link))
    );
  } catch (thrown) {
    const fault = faultOf(thrown);
    const isDone = fault.status === 410 && kept?.isFinished === true;
    return { screen: isDone ? "thanks" : screenOfRefusal(fault) };
  }
}

/** Undefined if the token has expired. */
async function resumeVisit(
  { token, isFinished }: KeptVisit,
  link: GuestLink,
): Promise<OpenedVisit | undefined> {
  const visit = await readVisit(token);
  if (visit === undefined) {
    return undefined;
  }
  const screen = screenOfVisit(visit);
  return {
    link,
    token,
    screen: isFinished === true && screen !== "survey" ? "thanks" : screen,
    position: visit.position_request ?? undefined,
  };
}

async function readVisit(token: string): Promise<Visit | undefined> {
  try {
    return await createGuestApi(token).readVisit();
  } catch (thrown) {
    if (statusOf(thrown) === 401) {
      return undefined;
    }
    throw thrown;
  }
}

async function beginNewVisit(secret: string, link: GuestLink): Promise<OpenedVisit> {
  const token = await beginVisit(secret);
  keepVisit({ secret, token });
  keptDevices.forget();
  reportClick(createGuestApi(token));
  const { state, is_survey_due } = link;
  const nothing = { has_consent: false, has_devices: false, is_accepted: false };
  const visit = { ...nothing, state, is_survey_due, position_request: null, end_reason: null };
  return { link, token, screen: screenOfVisit(visit) };
}

/** Reports a person only when the page is visible, because browsers prerender pages. */
function reportClick(api: GuestApi): void {
  if (document.visibilityState === "visible") {
    api.click().catch(() => undefined); // the next page of this visit reports it
    return;
  }
  document.addEventListener("visibilitychange", () => reportClick(api), { once: true });
}
