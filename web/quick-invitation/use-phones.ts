import { useEffect, useState } from "react";
import { roughPhone, type ReadPhone } from "./recipients.ts";

/** The check of phone numbers: a rough one until the good one is loaded. */
export const useReadPhone = (): ReadPhone => {
  const [read, setRead] = useState<ReadPhone>(() => roughPhone);
  useEffect(() => {
    import("./phone.ts").then(
      ({ readPhone }) => setRead(() => readPhone),
      () => {
        // The rough one stays. What it lets pass wrongly, the platform refuses.
      },
    );
  }, []);
  return read;
};
