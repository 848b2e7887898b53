import { useState, useSyncExternalStore } from "react";
import type { LiveState } from "./state.ts";
import { createLiveStore } from "./store.ts";

/** What happens now, as long as this is shown. */
export function useLive(): LiveState {
  const [store] = useState(createLiveStore);
  return useSyncExternalStore(store.subscribe, store.get);
}
