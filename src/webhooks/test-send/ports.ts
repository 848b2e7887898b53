/** What a test send needs of others. */

/** What came back, or why nothing did. Times in milliseconds. */
type Came = Readonly<{ durationMs: number; phases: Readonly<Record<string, number>> }>;
export type TestOutcome =
  | (Came &
      Readonly<{
        kind: "answered";
        status: number;
        headers: Readonly<Record<string, string>>;
        body: string;
        note?: string;
      }>)
  | (Came & Readonly<{ kind: "failed"; failure: string; detail: string }>);

/** `headers` are those of the request, the subscription's own values masked. */
export type TestSent =
  | Readonly<{
      kind: "sent";
      url: string;
      headers: Readonly<Record<string, string>>;
      result: TestOutcome;
    }>
  | Readonly<{ kind: "unusable"; reason: string }>;

/**
 * Sends an event to a subscription's receiver at once, signed and guarded as every delivery, and
 * marked as a test. Resolves for whatever the receiver does, within its time-out.
 */
export type SendTest = (event: {
  subscriptionId: number;
  messageId: string;
  body: string;
}) => Promise<TestSent>;
