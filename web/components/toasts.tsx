import { useNotifications } from "@mantine/notifications";
import {
  createElement,
  useEffect,
  useState,
  useSyncExternalStore,
  type ComponentType,
} from "react";
import { connection } from "../base/connection.ts";
import { createLoader } from "../base/loader.ts";

const list = createLoader(async () => (await import("./toast-list.tsx")).ToastList);

/**
 * The list of toasts. It is loaded at the first key or click, because a toast follows an action. If
 * that fails, it is loaded with the next toast, or when the platform is reachable again: until then
 * the toasts wait.
 */
export function Toasts() {
  const [hasActed, setHasActed] = useState(false);
  const [loaded, setLoaded] = useState<ComponentType>();
  const { notifications } = useNotifications();
  const isAway = useSyncExternalStore(connection.subscribe, () => connection.state().isAway);
  const count = notifications.length;
  useEffect(() => {
    const act = (): void => setHasActed(true);
    const once = { once: true, capture: true };
    window.addEventListener("pointerdown", act, once);
    window.addEventListener("keydown", act, once);
    return () => {
      window.removeEventListener("pointerdown", act, once);
      window.removeEventListener("keydown", act, once);
    };
  }, []);
  useEffect(() => {
    if (loaded === undefined && (hasActed || count > 0)) {
      void list.prefetch().then(() => setLoaded(() => list.value()));
    }
  }, [loaded, hasActed, count, isAway]);
  return loaded === undefined ? null : createElement(loaded);
}
