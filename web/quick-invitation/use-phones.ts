import { useEffect, useState } from "react";
import { roughPhone, type ReadPhone } from "./recipients.ts";

/** The check of phone numbers: a rough one until the good one is loaded, with the first that is there. */
export function useReadPhone(isNeeded: boolean): ReadPhone {
  const [read, setRead] = useState<ReadPhone>(() => roughPhone);
  useEffect(() => {
    if (!isNeeded) {
      return;
    }
    import("./phone.ts").then(
      ({ readPhone }) => setRead(() => readPhone),
      () => {
        // The rough one stays. What it lets pass wrongly, the platform refuses.
      },
    );
  }, [isNeeded]);
  return read;
}
