import type { Message, MessageStatus } from "../model.ts";

/** The result of a send. Rejections are values: `isFinal` if every retry would be rejected too. */
export type ProviderResult =
  | Readonly<{ kind: "accepted"; providerId: string; status: "sent" }>
  | Readonly<{ kind: "refused"; error: string; isFinal: boolean }>;

/** The concurrency limit was reached; retry later. */
export type ProviderBusy = Readonly<{ kind: "busy" }>;

/** A call of the provider, as it came. */
export type CallbackRequest = Readonly<{
  /** The public URL that was called, query included: some providers sign it. */
  url: string;
  query: Readonly<Record<string, string | undefined>>;
  body: Buffer;
  header: (name: string) => string | undefined;
}>;

/** How a message fares, by our key for it or by the provider's id. */
export type StatusReport = Readonly<{
  uid: string | undefined;
  providerId: string | undefined;
  status: MessageStatus;
  error: string | null;
}>;

/** An SMS that somebody wrote to us. */
export type IncomingSms = Readonly<{ from: string; text: string }>;

/** Calls that the provider makes. Both throw a problem where signature or form are wrong. */
export type Callbacks = Readonly<{
  parseStatus(request: CallbackRequest): StatusReport;
  parseIncoming(request: CallbackRequest): IncomingSms;
}>;

export type MessageProvider = Readonly<{
  name: "smtp" | "http" | "twilio" | "dev";
  /** Sends the message. Never rejects for faults of the provider. */
  send(message: Message, signal: AbortSignal): Promise<ProviderResult | ProviderBusy>;
  /** Absent if the provider has no callbacks. */
  callbacks?: Callbacks;
  /** Closes its connections. */
  close?: () => void;
}>;

export function accepted(providerId: string): ProviderResult {
  return {
    kind: "accepted",
    providerId,
    status: "sent",
  };
}

export function refused(error: string, isFinal: boolean): ProviderResult {
  return {
    kind: "refused",
    error,
    isFinal,
  };
}
