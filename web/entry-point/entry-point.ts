/** Reads the entry point from the head of the page, and sends a customer's request to it. */
import type { EntryPoint } from "../../src/contracts/tickets.ts";

/** Undefined: it is unknown or accepts no requests. Written by `src/pages/public-links.ts`. */
export function readEntryPoint(): EntryPoint | undefined {
  const content = document.querySelector<HTMLMetaElement>('meta[name="entry-point"]')?.content;
  return (JSON.parse(content ?? "null") as EntryPoint | null) ?? undefined;
}

export const fieldNames = ["firstname", "lastname", "email", "phone", "subject"] as const;

export type FieldName = (typeof fieldNames)[number];

export type FieldValues = Record<FieldName, string>;

export type InvalidField = Readonly<{ field: string; reason: string }>;

export type RequestResult =
  | Readonly<{ kind: "sent"; requestorUrl: string }>
  | Readonly<{ kind: "invalid"; errors: readonly InvalidField[] }>
  | Readonly<{ kind: "limited"; seconds: string }>
  /** `unanswered`: it may have arrived. */
  | Readonly<{ kind: "unknown" | "failed" | "unanswered" }>;

export type AssistanceRequest = Readonly<{
  buttonId: string;
  language: string;
  values: Readonly<FieldValues>;
  /** The same for each attempt to send these values: the platform creates one ticket. */
  key: string;
}>;

const timeoutMs = 20_000;

/** Never rejects: a lost connection is the result `unanswered`. */
export function sendRequest(request: AssistanceRequest): Promise<RequestResult> {
  const unanswered = { kind: "unanswered" } as const;
  // Browsers of 2018 cannot abort a request.
  const timeout = new Promise<RequestResult>((resolve) => {
    setTimeout(() => resolve(unanswered), timeoutMs);
  });
  const answer = post(request).then(resultOf);
  return Promise.race([answer.catch(() => unanswered), timeout]);
}

/** Without cookies: a session of this browser does not matter here. */
function post(request: AssistanceRequest): Promise<Response> {
  const { buttonId, language, values, key } = request;
  const body: Record<string, string> = { language };
  for (const name of fieldNames) {
    const value = values[name].trim();
    if (value !== "") {
      body[name] = value;
    }
  }
  return fetch(`/api/buttons/${encodeURIComponent(buttonId)}/requests`, {
    ...{ method: "POST", credentials: "omit", cache: "no-store" },
    headers: { "Content-Type": "application/json", "Idempotency-Key": key },
    body: JSON.stringify(body),
  });
}

async function resultOf(response: Response): Promise<RequestResult> {
  switch (response.status) {
    case 201: {
      const { requestor_url: requestorUrl } = (await response.json()) as { requestor_url: string };
      return { kind: "sent", requestorUrl };
    }
    case 400: {
      const { errors } = (await response.json()) as { errors: InvalidField[] };
      return { kind: "invalid", errors };
    }
    case 404:
      return { kind: "unknown" };
    case 429:
      return { kind: "limited", seconds: response.headers.get("Retry-After") ?? "60" };
    default:
      // A proxy may answer while the platform still works on the request.
      return { kind: response.status >= 500 ? "unanswered" : "failed" };
  }
}
