import { useEffect, useState } from "react";
import type { GuestApi } from "../guest-api.ts";

export type NetworkCheck = "running" | "passed" | "slow" | "blocked";

/** Round trips above this make speech hard to follow. */
const slowMs = 800;

/** Measures the way to the platform; the first request also opens the connection. */
export function useNetworkCheck(api: GuestApi): NetworkCheck {
  const [check, setCheck] = useState<NetworkCheck>("running");
  useEffect(() => {
    const measure = async (): Promise<void> => {
      await api.readVisit();
      const startMs = performance.now();
      await api.readVisit();
      setCheck(performance.now() - startMs > slowMs ? "slow" : "passed");
    };
    measure().catch(() => setCheck("blocked"));
  }, [api]);
  return check;
}
