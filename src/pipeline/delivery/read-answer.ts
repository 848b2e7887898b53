/** Reads a bounded part of a receiver's answer. */
import type { IncomingMessage } from "node:http";

/** Bytes read of an answer before the connection is closed. */
export const maxAnswerBytes = 64 * 1024;

/** Bytes kept of an answer. */
export const keptAnswerBytes = 4 * 1024;

export type AnswerReader = {
  /** The kept part of the body, as text. */
  text(): string;
};

/** `Set-Cookie` is the only header that Node returns as a list. */
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
 * Reads an answer: keeps its start, counts the rest, and calls `onEnough` once at the limit.
 * Compressed bodies are never decompressed, which prevents decompression bombs; their text is
 * empty.
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

type AnswerChunks = { chunks: readonly Buffer[]; receivedBytes: number; keptBytes: number };

function toText({ chunks, receivedBytes, keptBytes }: AnswerChunks): string {
  const kept = Buffer.concat(chunks).subarray(0, keptBytes).toString("utf8");
  // Drops a character cut in half; NUL is replaced because Postgres text refuses it.
  const whole = receivedBytes > keptBytes ? kept.replace(/\uFFFD$/u, "") : kept;
  return whole.includes("\0") ? whole.replaceAll("\0", "\uFFFD") : whole;
}
