import { useCallback, useEffect, useState } from "react";
import { checkMedia } from "../../rooms/media/media-check.ts";
import type { MediaCheck } from "../../rooms/media/media-verdict.ts";
import type { GuestApi } from "../guest-api.ts";

export type PlatformCheck = "running" | "passed" | "slow" | "blocked";

export type NetworkCheck = Readonly<{
  /** The connection to the platform. */
  platform: PlatformCheck;
  /** The path of audio and video. */
  media: "running" | MediaCheck;
  /** Checks both again, for example on another network. */
  again(): void;
}>;

/** Round trips above this make speech hard to follow. */
const slowMs = 800;

/** Measures the round trip to the platform, then checks the media paths: at most 3 s. */
export function useNetworkCheck(api: GuestApi): NetworkCheck {
  const [platform, setPlatform] = useState<NetworkCheck["platform"]>("running");
  const [media, setMedia] = useState<NetworkCheck["media"]>("running");
  const [round, setRound] = useState(0);
  useEffect(() => {
    let isWanted = true;
    const check = async (): Promise<void> => {
      const found = await measure(api);
      if (isWanted) {
        setPlatform(found);
      }
      const ways = found === "blocked" ? "blocked" : await findWays(api);
      if (isWanted) {
        setMedia(ways);
      }
    };
    void check();
    return () => {
      isWanted = false;
    };
  }, [api, round]);
  const again = useCallback(() => {
    setPlatform("running");
    setMedia("running");
    setRound((before) => before + 1);
  }, []);
  return { platform, media, again };
}

/** The first request also opens the connection. */
async function measure(api: GuestApi): Promise<PlatformCheck> {
  try {
    await api.readVisit();
    const startMs = performance.now();
    await api.readVisit();
    return performance.now() - startMs > slowMs ? "slow" : "passed";
  } catch {
    return "blocked";
  }
}

async function findWays(api: GuestApi): Promise<MediaCheck> {
  try {
    return await checkMedia(await api.readIce());
  } catch {
    return "blocked";
  }
}
