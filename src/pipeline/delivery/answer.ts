import type { IncomingMessage } from "node:http";

/** What is read of an answer before its connection is given up. */
export const maxAnswerBytes = 64 * 1024;

/** What is kept of it. */
export const keptAnswerBytes = 4 * 1024;

export type AnswerReader = {
  /** What can be shown of what came so far. */
  text(): string;
};

/** `Set-Cookie` is the only header that Node gives as a list. */
export function plainHeaders(headers: IncomingMessage["headers"]): Record<string, string> {
  const plain: Record<string, string> = {};
  for (const name in headers) {
    const value = headers[name];
    if (value !== undefined) {
      plain[name] = typeof value === "string" ? value : value.join(", ");
    }
  }
  return plain;
}

/**
 * Reads an answer: keeps its start, counts the rest, calls `onEnough` once at the bound. A
 * compressed body is never unpacked, so a bomb stays as small as it came; it shows as empty.
 */
export function readAnswer(
  response: IncomingMessage,
  onEnough: () => void,
  keptBytes: number = keptAnswerBytes,
): AnswerReader {
  const chunks: Buffer[] = [];
  let receivedBytes = 0;
  const take = (chunk: Buffer): void => {
    if (receivedBytes < keptBytes) {
      chunks.push(chunk);
    }
    const wasEnough = receivedBytes > maxAnswerBytes;
    receivedBytes += chunk.length;
    if (receivedBytes > maxAnswerBytes && !wasEnough) {
      onEnough();
    }
  };
  response.on("readable", () => {
    for (let chunk: unknown = response.read(); chunk !== null; chunk = response.read()) {
      take(chunk as Buffer);
    }
  });
  return {
    text: () => {
      const encoding = response.headers["content-encoding"];
      const isPlain = encoding === undefined || encoding === "identity";
      return isPlain && receivedBytes > 0 ? toText({ chunks, receivedBytes, keptBytes }) : "";
    },
  };
}

type Read = { chunks: readonly Buffer[]; receivedBytes: number; keptBytes: number };

function toText({ chunks, receivedBytes, keptBytes }: Read): string {
  const kept = Buffer.concat(chunks).subarray(0, keptBytes).toString("utf8");
  // A character that the cut went through is dropped; NUL is text that Postgres refuses.
  const whole = receivedBytes > keptBytes ? kept.replace(/\uFFFD$/u, "") : kept;
  return whole.includes("\0") ? whole.replaceAll("\0", "\uFFFD") : whole;
}
