/** LiveKit server for larger calls: access tokens and room administration. */
import type { RoomPeer } from "../../contracts/room-messages.ts";

export type SfuOptions = Readonly<{
  /** URL for pages: `wss://…`. */
  url: string;
  /** URL for the platform: `https://…`. */
  apiUrl: string;
  apiKey: string;
  apiSecret: string;
}>;

/** Room names are session ids; participant identities are peer ids. */
export type Sfu = Readonly<{
  url: string;
  /** A supervisor's token only receives, and the others do not see its holder. */
  issueToken(sessionId: string, peer: Pick<RoomPeer, "id" | "name" | "role">): Promise<string>;
  /** Names of all rooms. Like the methods below, rejects if the server does not answer. */
  listRooms(): Promise<string[]>;
  listParticipants(sessionId: string): Promise<SfuParticipant[]>;
  remove(sessionId: string, peerId: string): Promise<void>;
  endRoom(sessionId: string): Promise<void>;
}>;

export type SfuParticipant = Readonly<{
  peerId: string;
  /** Media are connected. False while the participant is still joining, and for supervisors. */
  isConnected: boolean;
}>;

/** Needed only to connect: the server refreshes the tokens of connected participants. */
const tokenSeconds = 600;

const timeoutSeconds = 3;

export function createSfu({ url, apiUrl, apiKey, apiSecret }: SfuOptions): Sfu {
  const open = async () => {
    // Lazy import: the SDK takes 18 MB of memory, which platforms without LiveKit save.
    const sdk = await import("livekit-server-sdk");
    const options = { requestTimeout: timeoutSeconds, failover: false };
    return { sdk, api: new sdk.RoomServiceClient(apiUrl, apiKey, apiSecret, options) };
  };
  return {
    url,
    issueToken: async (sessionId, { id, name, role }) => {
      const { sdk } = await open();
      const token = new sdk.AccessToken(apiKey, apiSecret, {
        identity: id,
        name,
        ttl: tokenSeconds,
      });
      token.addGrant({
        roomJoin: true,
        room: sessionId,
        ...(role === "supervisor" ? { canPublish: false, hidden: true } : { canPublish: true }),
        canSubscribe: true,
        // Data messages use our signalling, which enforces authorization.
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
      return found.map(({ identity, state, permission }) => ({
        peerId: identity,
        isConnected: state === sdk.ParticipantInfo_State.ACTIVE && permission?.hidden !== true,
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

/** A room or participant that no longer exists is not an error. */
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
