import type { Scope } from "../contracts/permissions.ts";
import type { Readable } from "node:stream";
import { problem } from "../contracts/problems.ts";
import { hasFile } from "./media.ts";
import type { MediaService } from "./service.ts";

type Range = Readonly<{ start: number; end: number }>;

/** What the public addresses of files ask: see `src/http/attachments.ts`. */
export function createAttachmentPorts(media: MediaService) {
  return {
    find: async (hash: string) => {
      const found = await media.findByHash(hash);
      if (found === undefined) {
        return undefined;
      }
      if (found.deletedAt !== null) {
        return "gone" as const;
      }
      const open = async (range?: Range): Promise<Readable> =>
        (await media.open(found, range)).stream;
      return hasFile(found) ? { ...found, type: found.mimeType, open } : undefined;
    },
    /** 404 where it is another enterprise's, 403 where it is out of reach. */
    requireReadable: async (reader: Scope, hash: string): Promise<void> => {
      const found = await media.findByHash(hash);
      if (found?.enterpriseId !== reader.enterpriseId) {
        throw problem("not_found", "There is no such file.");
      }
      await media.get(reader, found.id);
    },
  };
}
