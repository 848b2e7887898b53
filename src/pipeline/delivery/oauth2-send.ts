/**
 * In: a request that needs an access token. Out: its result.
 * Guarantee: ends within the time-out, including the wait for tokens. If the receiver answers 401,
 * the request is sent once more with a new token, because the first may have been revoked: one
 * attempt, recorded with a note. No result contains the token, even if the receiver echoes it.
 * Nothing is sent late to a webhook that was switched off meanwhile.
 * On crash: as for any request; a resend has the same webhook-id.
 */
import { maskedValue } from "../../contracts/request-headers.ts";
import type { OAuth2Client } from "../../contracts/subscriptions.ts";
import {
  detailOf,
  type Failure,
  type Phases,
  type Send,
  type SendRequest,
  type SendResult,
} from "./send-result.ts";
import type { AccessTokens } from "./oauth2-tokens.ts";

export type AuthorizedSend = (
  request: SendRequest,
  client: OAuth2Client,
  signal?: AbortSignal,
) => Promise<SendResult>;

export type AuthorizedSendDeps = {
  post: Send;
  tokens: AccessTokens;
  /** For token and request together. */
  timeoutMs: number;
  nowMs: () => number;
};

/**
 * A request that starts later after the beginning of its attempt asks whether its webhook is still on.
 * With `freshForMs` of `ledger/reservation.ts` it is at most a second.
 */
const lateAfterMs = 500;

const maxAskMs = 1_000;

export function createAuthorizedSend(deps: AuthorizedSendDeps): AuthorizedSend {
  const { post, tokens } = deps;

  return async (request, client, signal) => {
    const watch = createDeadline(deps);
    let tokenMs = 0;

    const findToken = async (refused?: string) => {
      const askedAt = watch.elapsedMs();
      const found = await watch.within(tokens.get(client, refused));
      tokenMs += watch.elapsedMs() - askedAt;
      return found ?? { kind: "none" as const, reason: "no time was left" };
    };
    const postWith = async (token: string): Promise<SendResult> => {
      const headers = { ...request.headers, Authorization: `Bearer ${token}` };
      const result = await post({ ...request, headers, timeoutMs: watch.leftMs() }, signal);
      return withoutToken(result, token);
    };
    const isOff = async (): Promise<boolean> =>
      watch.elapsedMs() > lateAfterMs &&
      (await request.isStillOn?.(Math.min(maxAskMs, watch.leftMs()))) === false;
    const sendAgain = async (answer: SendResult, refused: string): Promise<SendResult> => {
      const next = await findToken(refused);
      if (next.kind === "none") {
        return withNote(
          answer,
          `The receiver rejected the token, and no new token could be obtained: ${next.reason}`,
        );
      }
      const wasOff = await isOff();
      if (next.kind === "aborted" || watch.isOver()) {
        return withNote(
          answer,
          "The receiver rejected the token, and there was no time left to get a new one",
        );
      }
      return wasOff
        ? withNote(
            answer,
            "The receiver rejected the token, and the webhook was disabled meanwhile",
          )
        : withNote(
            await postWith(next.token),
            "Sent twice: the receiver rejected the first token with 401",
          );
    };
    const sendOnce = async (): Promise<SendResult> => {
      const first = await findToken();
      if (first.kind !== "token") {
        return first.kind === "aborted" ? notSent("aborted") : notSent("oauth2", first.reason);
      }
      if (await isOff()) {
        return { ...notSent("aborted"), detail: "Not sent: the webhook was disabled meanwhile" };
      }
      const answer = await postWith(first.token);
      return isUnauthorized(answer) ? sendAgain(answer, first.token) : answer;
    };

    const result = await sendOnce();
    const durationMs = Math.round(watch.elapsedMs());
    const token = Math.round(tokenMs);
    const phases: Phases = {
      ...(token > 0 ? { token } : {}),
      ...result.phases,
      total: durationMs,
    };
    return { ...result, durationMs, phases };
  };
}

/** Tracks the remaining time of one attempt. */
function createDeadline({ timeoutMs, nowMs }: Pick<AuthorizedSendDeps, "timeoutMs" | "nowMs">) {
  const startedAt = nowMs();
  const elapsedMs = (): number => nowMs() - startedAt;
  const leftMs = (): number => Math.max(1, timeoutMs - elapsedMs());
  return {
    elapsedMs,
    leftMs,
    isOver: (): boolean => elapsedMs() >= timeoutMs,
    /** Undefined if no time is left before it settles; others may still wait for it. */
    within: async <T>(work: Promise<T>): Promise<T | undefined> => {
      let timer: NodeJS.Timeout | undefined;
      const end = new Promise<undefined>((resolve) => {
        timer = setTimeout(() => resolve(undefined), leftMs());
      });
      return Promise.race([work, end]).finally(() => clearTimeout(timer));
    },
  };
}

/** Shorter values would also match ordinary words. */
const minMaskedTokenLength = 8;

/**
 * Masks the token: a receiver may echo the request headers in its answer, which is stored and
 * shown.
 */
function withoutToken(result: SendResult, token: string): SendResult {
  if (result.kind !== "answered" || token.length < minMaskedTokenLength) {
    return result;
  }
  const hide = (text: string): string => withoutStart(text.replaceAll(token, maskedValue), token);
  const headers = Object.fromEntries(
    Object.entries(result.headers).map(([name, value]) => [name, hide(value)]),
  );
  return { ...result, headers, body: hide(result.body) };
}

/** Without a token at the end of the text, which was cut inside of it. */
function withoutStart(text: string, token: string): string {
  for (
    let length = Math.min(token.length - 1, text.length);
    length >= minMaskedTokenLength;
    length -= 1
  ) {
    if (text.endsWith(token.slice(0, length))) {
      return `${text.slice(0, -length)}${maskedValue}`;
    }
  }
  return text;
}

function withNote(result: SendResult, note: string): SendResult {
  return result.kind === "answered"
    ? { ...result, note }
    : { ...result, detail: `${result.detail}. ${note}` };
}

type FailedSend = Extract<SendResult, { kind: "failed" }>;

function notSent(failure: Failure, reason?: string): FailedSend {
  return {
    kind: "failed",
    failure,
    detail: reason === undefined ? detailOf(failure) : `${detailOf(failure)}: ${reason}`,
    durationMs: 0,
    phases: { total: 0 },
  };
}

function isUnauthorized(result: SendResult): boolean {
  return result.kind === "answered" && result.status === 401;
}
