import type { SharedFile } from "./room.ts";

/** The REST operations of a room, with its token. */
export type RoomApi = Readonly<{
  /** Uploads a file into the room. Out: its media id. Throws an `ApiFault`. */
  upload(file: Blob, options: UploadOptions): Promise<number>;
  /** A photo or file of the room. Throws an `ApiFault`. */
  readFile(mediaId: number): Promise<SharedFile>;
  /** Answers a position request; null: refused, or not found. */
  answerPosition(requestId: string, position: Position | null): Promise<void>;
  /** Begins a recording of this MIME type. Out: its id. */
  startRecording(type: string): Promise<number>;
  putChunk(recordingId: number, chunk: Readonly<{ number: number; data: Blob }>): Promise<void>;
  finalizeRecording(recordingId: number, chunks: number): Promise<void>;
}>;

export type UploadOptions = Readonly<{ name: string; kind: "snapshot" | "share" }>;

export type Position = Readonly<{ lat: number; lng: number }>;

/** A refusal, or no answer at all (status 0). */
export class ApiFault extends Error {
  readonly status: number;

  constructor(status: number) {
    super(`The platform responded with ${status}.`);
    this.name = "ApiFault";
    this.status = status;
  }
}

export function createRoomApi(token: () => string): RoomApi {
  return {
    upload: async (file, { name, kind }) => {
      const form = new FormData();
      form.set("kind", kind);
      form.set("file", file, name);
      const media = await call(token(), { path: "/guest/medias", method: "POST", body: form });
      return (media as { id: number }).id;
    },
    readFile: async (mediaId) => {
      const media = await call(token(), { path: `/guest/medias/${mediaId}`, method: "GET" });
      const { title, type, filesize, url } = media as Record<string, string | number>;
      return { name: String(title), type: String(type), bytes: Number(filesize), url: String(url) };
    },
    answerPosition: async (requestId, position) => {
      const path = `/guest/position-requests/${encodeURIComponent(requestId)}/answer`;
      await call(token(), { path, method: "POST", body: { geoloc: position } });
    },
    startRecording: async (type) => {
      const input = { path: "/rtc/recordings", method: "POST", body: { type } } as const;
      return ((await call(token(), input)) as { id: number }).id;
    },
    putChunk: async (recordingId, { number, data }) => {
      const path = `/rtc/recordings/${recordingId}/chunks/${number}`;
      await call(token(), { path, method: "PUT", body: data });
    },
    finalizeRecording: async (recordingId, chunks) => {
      const path = `/rtc/recordings/${recordingId}/finalize`;
      await call(token(), { path, method: "POST", body: { chunks } });
    },
  };
}

type ApiCall = Readonly<{
  path: string;
  method: "GET" | "POST" | "PUT";
  body?: FormData | Blob | object;
}>;

/** Out: the JSON of the answer; undefined if it has none. */
async function call(token: string, { path, method, body }: ApiCall): Promise<unknown> {
  const sent = encode(body);
  const headers = { ...sent.headers, Authorization: `Bearer ${token}` };
  const init = { method, headers, body: sent.body };
  const response = await fetch(`/api${path}`, init).catch(() => undefined);
  if (response === undefined || !response.ok) {
    throw new ApiFault(response?.status ?? 0);
  }
  return response.status === 204 ? undefined : response.json();
}

/** The type of a form is set by the browser, with its boundary. */
function encode(body: ApiCall["body"]): Readonly<{
  headers: Readonly<Record<string, string>>;
  body: FormData | Blob | string | null;
}> {
  if (body === undefined || body instanceof FormData) {
    return { headers: {}, body: body ?? null };
  }
  return body instanceof Blob
    ? { headers: { "Content-Type": "application/octet-stream" }, body }
    : { headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
}
