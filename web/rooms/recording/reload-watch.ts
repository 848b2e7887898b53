/** Tells a person who reloads the page during their recording that it stopped. */
import { createTabMemory } from "../../shared/tab-memory.ts";
import type { Signalling } from "../signalling/signalling-client.ts";
import { ownerOfToken } from "../signalling/token.ts";
import type { Store } from "../store.ts";
import { isOwnRecording } from "./answers.ts";

export type ReloadWatch = Readonly<{
  /** The recording began or ended. */
  onChange(): void;
  onHello(): void;
  /** Before the recording is stopped because the page goes away. */
  close(): void;
}>;

type WatchOptions = Readonly<{
  store: Pick<Store, "view" | "update">;
  signalling: Pick<Signalling, "token">;
  /** Called after this watch. */
  onChange(): void;
}>;

export function createReloadWatch({ store, signalling, onChange }: WatchOptions): ReloadWatch {
  const memory = createTabMemory<string>("recording");
  const isRecording = (): boolean => isOwnRecording(store.view().recording);
  let isClosed = false;
  return {
    onChange: () => {
      if (isRecording()) {
        memory.keep(ownerOfToken(signalling.token()));
      } else if (!isClosed) {
        memory.forget();
      }
      onChange();
    },
    onHello: () => {
      if (!isRecording() && memory.read() === ownerOfToken(signalling.token())) {
        memory.forget();
        store.update({ notice: "recording-stopped" });
      }
    },
    close: () => {
      isClosed = true;
    },
  };
}
