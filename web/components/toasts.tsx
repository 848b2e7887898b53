import { useNotifications } from "@mantine/notifications";
import {
  createElement,
  useEffect,
  useState,
  useSyncExternalStore,
  type ComponentType,
} from "react";
import { connection } from "../base/connection.ts";
import { mayLoadLater } from "../base/load-files.ts";
import { LoadFault } from "./load-fault.tsx";
import classes from "./toasts.module.css";

/**
 * The list of toasts. It is loaded at the first key or click, because a toast follows an action. If
 * that fails, it is loaded with the next toast, or when the platform is reachable again: until then
 * the toasts wait. If only a reload of the page can help, for example after an update of the
 * platform, that is offered in place of a toast.
 */
export function Toasts() {
  const [hasActed, setHasActed] = useState(false);
  const [loaded, setLoaded] = useState<ComponentType>();
  const [fault, setFault] = useState<unknown>();
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
      import("./toast-list.tsx").then(({ ToastList }) => setLoaded(() => ToastList), setFault);
    }
  }, [loaded, hasActed, count, isAway]);
  if (loaded !== undefined) {
    return createElement(loaded);
  }
  return count === 0 || fault === undefined || mayLoadLater(fault) ? null : (
    <div className={classes["fault"]}>
      <LoadFault error={fault} onRetry={() => setFault(undefined)} />
    </div>
  );
}
