/**
 * Which paths media can take on this network, before a call: the browser gathers its addresses
 * with the STUN and TURN servers of the platform, as it does at the start of a call.
 */
import { configurationOf } from "./ice-configuration.ts";
import {
  assessMedia,
  type CandidateKind,
  type CheckedIce,
  type MediaCheck,
} from "./media-verdict.ts";

const limitMs = 3_000;

/** Takes at most 3 s, less if the relay answers. */
export async function checkMedia(settings: CheckedIce): Promise<MediaCheck> {
  return assessMedia(settings, await gatherKinds(settings));
}

function gatherKinds(settings: CheckedIce): Promise<ReadonlySet<CandidateKind>> {
  const found = new Set<CandidateKind>();
  const connection = new RTCPeerConnection(configurationOf(settings));
  return new Promise((resolve) => {
    const finish = (): void => {
      clearTimeout(timer);
      connection.onicecandidate = null;
      connection.close();
      resolve(found);
    };
    const timer = setTimeout(finish, limitMs);
    connection.onicecandidate = ({ candidate }) => {
      if (candidate === null) {
        finish();
      } else if (candidate.type !== null) {
        found.add(candidate.type);
        if (candidate.type === "relay") {
          finish();
        }
      }
    };
    connection.createDataChannel("check");
    connection.setLocalDescription().catch(finish);
  });
}
