import { callApi, type ApiCall } from "./http.ts";
import type { SharedFile } from "./room.ts";

/** The REST operations of a room, with its token. */
export type RoomApi = Readonly<{
  /** Uploads a file into the room. Out: its media id. Throws an `ApiFault`. */
  upload(file: Blob, options: UploadOptions): Promise<number>;
  /** A photo or file of the room. Throws an `ApiFault`. */
  readFile(mediaId: number): Promise<SharedFile>;
  /** Answers a position request; null: refused, or no position found. */
  answerPosition(requestId: string, position: Position | null): Promise<void>;
  /** Begins a recording of this MIME type. Out: its id. */
  startRecording(type: string): Promise<number>;
  putChunk(recordingId: number, chunk: Readonly<{ number: number; data: Blob }>): Promise<void>;
  finalizeRecording(recordingId: number, chunks: number): Promise<void>;
}>;

/** `clientId`: the same for each attempt, so that the file is stored once. */
export type UploadOptions = Readonly<{
  name: string;
  kind: "snapshot" | "share";
  clientId: string;
}>;

/** `accuracy`: radius in metres. */
export type Position = Readonly<{ lat: number; lng: number; accuracy: number }>;

export function createRoomApi(token: () => string): RoomApi {
  const send = <Result>(input: Omit<ApiCall, "token">): Promise<Result> =>
    callApi<Result>({ ...input, token: token() });
  return {
    upload: async (file, { name, kind, clientId }) => {
      const form = new FormData();
      form.set("kind", kind);
      form.set("file", file, name);
      const path = `/guest/medias?clientId=${clientId}`;
      return (await send<{ id: number }>({ path, method: "POST", body: form })).id;
    },
    readFile: async (mediaId) => {
      const path = `/guest/medias/${mediaId}`;
      const { title, type, filesize, url } = await send<Record<string, string | number>>({ path });
      return { name: String(title), type: String(type), bytes: Number(filesize), url: String(url) };
    },
    answerPosition: async (requestId, position) => {
      const path = `/guest/position-requests/${encodeURIComponent(requestId)}/answer`;
      await send({ path, method: "POST", body: { geoloc: position } });
    },
    startRecording: async (type) => {
      const path = "/rtc/recordings";
      return (await send<{ id: number }>({ path, method: "POST", body: { type } })).id;
    },
    putChunk: async (recordingId, { number, data }) => {
      const path = `/rtc/recordings/${recordingId}/chunks/${number}`;
      await send({ path, method: "PUT", body: data });
    },
    finalizeRecording: async (recordingId, chunks) => {
      const path = `/rtc/recordings/${recordingId}/finalize`;
      await send({ path, method: "POST", body: { chunks } });
    },
  };
}
