/** The API of a LiveKit server without media: the test sets the participants of its rooms. */
import { createServer, type ServerResponse } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { insideDescribe } from "./scope.ts";

export type FakeLivekit = Readonly<{
  environment: Readonly<Record<string, string>>;
  /** By room name, the identities of connected participants. */
  rooms: Map<string, string[]>;
  /** Identities of supervisors. */
  hidden: Set<string>;
  /** Makes the server stop or resume responding. */
  setAway(isAway: boolean): void;
  close(): Promise<void>;
}>;

type ApiInput = { room?: string; identity?: string };

async function startFakeLivekit(): Promise<FakeLivekit> {
  const rooms = new Map<string, string[]>();
  const hidden = new Set<string>();
  let isAway = false;
  const answers: Record<string, (input: ApiInput) => object> = {
    ListRooms: () => ({ rooms: [...rooms.keys()].map((name) => ({ name })) }),
    ListParticipants: ({ room = "" }) => ({
      participants: (rooms.get(room) ?? []).map((identity) => ({
        ...{ identity, state: "ACTIVE" },
        permission: { hidden: hidden.has(identity) },
      })),
    }),
    RemoveParticipant: ({ room = "", identity }) => {
      rooms.set(
        room,
        (rooms.get(room) ?? []).filter((one) => one !== identity),
      );
      return {};
    },
    DeleteRoom: ({ room = "" }) => {
      rooms.delete(room);
      return {};
    },
  };
  const server = createServer((request, response) => {
    let text = "";
    request.on("data", (chunk: Buffer) => (text += chunk.toString()));
    request.on("end", () => {
      const method = request.url?.split("/").at(-1) ?? "";
      const input = JSON.parse(text === "" ? "{}" : text) as ApiInput;
      send(response, isAway ? undefined : answers[method]?.(input));
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    environment: {
      LIVEKIT_URL: "wss://livekit.example.com",
      LIVEKIT_API_URL: `http://127.0.0.1:${port}`,
      LIVEKIT_API_KEY: "test-key",
      LIVEKIT_API_SECRET: "a-secret-of-at-least-32-characters",
    },
    rooms,
    hidden,
    setAway: (next) => {
      isAway = next;
    },
    close: async () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

/**
 * One server for all tests of the surrounding `describe`, which responds again after each test.
 * `environment` is set before the platform starts.
 */
export function useFakeLivekit(): Omit<FakeLivekit, "close"> {
  const environment: Record<string, string> = {};
  let started: FakeLivekit | undefined;
  const get = (): FakeLivekit => {
    if (started === undefined) {
      throw new Error("LiveKit runs during the tests only");
    }
    return started;
  };
  before("start the API of LiveKit", async function () {
    insideDescribe(this, "useFakeLivekit");
    started = await startFakeLivekit();
    Object.assign(environment, started.environment);
  });
  afterEach(() => started?.setAway(false));
  after(() => started?.close());
  return {
    environment,
    get rooms() {
      return get().rooms;
    },
    get hidden() {
      return get().hidden;
    },
    setAway: (isAway) => get().setAway(isAway),
  };
}

function send(response: ServerResponse, body: object | undefined): void {
  response.writeHead(body === undefined ? 503 : 200, { "content-type": "application/json" });
  response.end(JSON.stringify(body ?? {}));
}
