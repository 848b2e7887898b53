import { randomUUID } from "node:crypto";
import type { ApiCall } from "./whole-api.ts";

export type FilePart = Readonly<{ name: string; type: string; data: Uint8Array }>;

function part(boundary: string, head: string, data: Uint8Array | string): Buffer {
  return Buffer.concat([
    Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; ${head}\r\n\r\n`),
    Buffer.from(data as string),
    Buffer.from("\r\n"),
  ]);
}

/** A multipart form with fields and, last, a file, as bytes that a test may corrupt. */
export function multipart(
  fields: Readonly<Record<string, string | number>>,
  file?: FilePart,
): Pick<ApiCall, "headers"> & { raw: Buffer } {
  const boundary = `----${randomUUID()}`;
  const parts = Object.entries(fields).map(([name, value]) =>
    part(boundary, `name="${name}"`, String(value)),
  );
  if (file !== undefined) {
    const head = `name="file"; filename="${file.name}"\r\nContent-Type: ${file.type}`;
    parts.push(part(boundary, head, file.data));
  }
  return {
    raw: Buffer.concat([...parts, Buffer.from(`--${boundary}--\r\n`)]),
    headers: { "content-type": `multipart/form-data; boundary=${boundary}` },
  };
}
