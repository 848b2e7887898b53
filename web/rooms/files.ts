/** Photos and files: uploaded with the room's token, then shown to the others. */
import type { CommandResult } from "../../src/contracts/room-messages.ts";
import type { RoomApi, UploadOptions } from "./api.ts";
import type { Devices } from "./media/devices.ts";
import { ApiFault } from "./http.ts";
import { takePhoto } from "./media/photo.ts";
import type { RoomNotice } from "./notices.ts";
import { repeat } from "./repeat.ts";
import type { SharedFile } from "./room.ts";
import type { Signalling } from "./signalling/signalling-client.ts";
import type { Store } from "./store.ts";
import { newId } from "../shared/new-id.ts";

export type FilesOptions = Readonly<{
  store: Store;
  signalling: Signalling;
  api: RoomApi;
  devices: Devices;
}>;

export type Files = Readonly<{
  takePhoto(): Promise<CommandResult>;
  /** Out: the media id; undefined if it was refused. */
  sendFile(file: Blob, name: string): Promise<number | undefined>;
  findFile(mediaId: number): Promise<SharedFile | undefined>;
}>;

const uploadMs = 15_000;

export function createFiles({ store, signalling, api, devices }: FilesOptions): Files {
  const addShared = (mediaId: number, from: string): void => {
    const { shared } = store.view();
    if (!shared.some((one) => one.mediaId === mediaId)) {
      store.update({ shared: [...shared, { mediaId, from }] });
    }
  };
  signalling.on("shared", ({ mediaId, from }) => addShared(mediaId, from));

  const share = async (file: Blob, about: Omit<UploadOptions, "clientId">): Promise<number> => {
    const options = { ...about, clientId: newId() };
    const upload = await repeat(() => tryUpload(api, file, options), isTemporary, {
      limitMs: uploadMs,
      firstMs: 500,
    });
    if (upload instanceof ApiFault) {
      throw upload;
    }
    addShared(upload, store.view().self?.id ?? "");
    await signalling.request("shared", { mediaId: upload });
    return upload;
  };

  return {
    takePhoto: async () => {
      const camera = devices.camera();
      if (camera === undefined || store.view().local.isPaused) {
        return { ok: false, reason: camera === undefined ? "unsupported" : "paused" };
      }
      try {
        const photo = await takePhoto(camera);
        const mediaId = await share(photo, { name: nameOfPhoto(photo), kind: "snapshot" });
        return { ok: true, mediaId };
      } catch {
        store.update({ notice: "photo-failed" });
        return { ok: false, reason: "failed" };
      }
    },
    findFile: (mediaId) => api.readFile(mediaId).catch(() => undefined),
    sendFile: async (file, name) => {
      try {
        return await share(file, { name, kind: "share" });
      } catch (thrown) {
        store.update({ notice: noticeOf(thrown) });
        return undefined;
      }
    },
  };
}

function nameOfPhoto({ type }: Blob): string {
  const time = new Date().toISOString().slice(0, 19).replace(/:/gu, "-");
  return `photo-${time}.${type === "image/png" ? "png" : "jpg"}`;
}

async function tryUpload(
  api: RoomApi,
  file: Blob,
  options: UploadOptions,
): Promise<number | ApiFault> {
  try {
    return await api.upload(file, options);
  } catch (thrown) {
    return thrown instanceof ApiFault ? thrown : new ApiFault(0);
  }
}

function isTemporary(result: number | ApiFault): boolean {
  return result instanceof ApiFault && [0, 429, 502, 503, 504].includes(result.status);
}

function noticeOf(thrown: unknown): RoomNotice {
  const status = thrown instanceof ApiFault ? thrown.status : 0;
  if (status === 413) {
    return "file-too-large";
  }
  return status === 415 ? "file-type-refused" : "file-failed";
}
