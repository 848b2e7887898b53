/** The LiveKit server of larger calls: tokens for pages, and what the platform changes there. */
import type { RoomPeer } from "../../contracts/room-messages.ts";

export type SfuOptions = Readonly<{
  /** As pages reach it: `wss://…`. */
  url: string;
  /** As the platform reaches it: `https://…`. */
  apiUrl: string;
  apiKey: string;
  apiSecret: string;
}>;

/** Its rooms are named by the id of their session, its participants by the id of their page. */
export type Sfu = Readonly<{
  url: string;
  issueToken(sessionId: string, peer: Pick<RoomPeer, "id" | "name">): Promise<string>;
  /** Names of all its rooms. Rejects, as all that follow, if the server does not answer. */
  listRooms(): Promise<string[]>;
  listParticipants(sessionId: string): Promise<SfuParticipant[]>;
  remove(sessionId: string, peerId: string): Promise<void>;
  endRoom(sessionId: string): Promise<void>;
}>;

export type SfuParticipant = Readonly<{
  peerId: string;
  /** Its media reach the server, or are about to. */
  isConnected: boolean;
}>;

/** Only to connect with: the server renews the token of who is connected. */
const tokenSeconds = 600;

const timeoutSeconds = 3;

export function createSfu({ url, apiUrl, apiKey, apiSecret }: SfuOptions): Sfu {
  const open = async () => {
    // Platforms without LiveKit do not pay for its SDK: 18 MB of memory.
    const sdk = await import("livekit-server-sdk");
    const options = { requestTimeout: timeoutSeconds, failover: false };
    return { sdk, api: new sdk.RoomServiceClient(apiUrl, apiKey, apiSecret, options) };
  };
  return {
    url,
    issueToken: async (sessionId, { id, name }) => {
      const { sdk } = await open();
      const token = new sdk.AccessToken(apiKey, apiSecret, {
        identity: id,
        name,
        ttl: tokenSeconds,
      });
      token.addGrant({
        roomJoin: true,
        room: sessionId,
        canPublish: true,
        canSubscribe: true,
        // Chat, pointer and commands go over our signalling, which checks who may send what.
        canPublishData: false,
        canUpdateOwnMetadata: false,
      });
      return token.toJwt();
    },
    listRooms: async () => {
      const { api } = await open();
      return (await api.listRooms()).map(({ name }) => name);
    },
    listParticipants: async (sessionId) => {
      const { sdk, api } = await open();
      const found = (await unlessMissing(api.listParticipants(sessionId))) ?? [];
      return found.map(({ identity, state }) => ({
        peerId: identity,
        isConnected: state === sdk.ParticipantInfo_State.ACTIVE,
      }));
    },
    remove: async (sessionId, peerId) => {
      const { api } = await open();
      await unlessMissing(api.removeParticipant(sessionId, peerId));
    },
    endRoom: async (sessionId) => {
      const { api } = await open();
      await unlessMissing(api.deleteRoom(sessionId));
    },
  };
}

/** Nothing to do for a room or participant that is gone. */
async function unlessMissing<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (thrown) {
    if ((thrown as { status?: unknown }).status === 404) {
      return undefined;
    }
    throw thrown;
  }
}
