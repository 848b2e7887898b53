/** Reads the invitation of the link, and declines it. */
import type { LinkEnd } from "../../src/contracts/tickets.ts";

export type Invitation = Readonly<{
  state: string;
  service_name: string;
  enterprise_name: string;
  /** Empty where the agent has no name, or there is no agent yet. */
  agent_name: string;
  subject: string | null;
  language: string | null;
  start_time: string;
  end_time: string;
  requestor_url: string;
  asks: readonly ("camera" | "microphone" | "position")[];
  is_survey_due: boolean;
}>;

/** Why there is no invitation: the link has ended or is unknown, or the platform did not answer. */
export type InvitationFault = LinkEnd | "unknown" | "failed";

export type InvitationResult =
  | Readonly<{ kind: "found"; invitation: Invitation }>
  | Readonly<{ kind: InvitationFault }>;

/** Sent without cookies: a session of this browser does not matter here. */
const anonymous = { credentials: "omit", cache: "no-store" } as const;

export async function findInvitation(code: string): Promise<InvitationResult> {
  try {
    const response = await fetch(`/api/guest/information/${encodeURIComponent(code)}`, anonymous);
    return response.ok
      ? { kind: "found", invitation: (await response.json()) as Invitation }
      : { kind: await faultOf(response) };
  } catch {
    return { kind: "failed" };
  }
}

async function faultOf(response: Response): Promise<InvitationFault> {
  if (response.status === 410) {
    const { details } = (await response.json()) as { details: string };
    return details.replace("Reason ", "") as LinkEnd;
  }
  return response.status === 400 || response.status === 404 ? "unknown" : "failed";
}

/** Whether the customer's page can be opened, so that the button is useful. */
export async function canStart({ requestor_url: url }: Invitation): Promise<boolean> {
  try {
    const { pathname } = new URL(url);
    // Without a room, it leads back to this page.
    return (await fetch(pathname, { ...anonymous, method: "HEAD", redirect: "manual" })).ok;
  } catch {
    return false;
  }
}

/** Declines as the customer, by a visit of the link. Throws if refused. */
export async function decline({ requestor_url: url }: Invitation): Promise<void> {
  const secret = url.slice(url.lastIndexOf("/") + 1);
  const begun = await post(`/api/guest/tickets/${encodeURIComponent(secret)}/token`);
  const { room_token: token } = (await begun.json()) as { room_token: string };
  await post("/api/guest/decline", { Authorization: `Bearer ${token}` });
}

async function post(path: string, headers: Record<string, string> = {}): Promise<Response> {
  const response = await fetch(path, { ...anonymous, method: "POST", headers });
  if (!response.ok) {
    throw new Error(`${path} answered ${response.status}`);
  }
  return response;
}
