/** Validation schemas of call messages. */
import { compileMessage, createMessageReader } from "../../http/validate.ts";
import {
  callQualities,
  commandFailures,
  descriptionTypes,
  drawTools,
  type BoardChange,
  type CallCommand,
  type CallSignal,
  type CommandResult,
  type MediaRoute,
  type PeerState,
  type Point,
  type RecordingMessage,
} from "../../contracts/room-messages.ts";
import { uuidPattern } from "../../platform/ids.ts";

/** An SDP with three streams has about 10 KB. */
const maxSdp = 60_000;

const uuid = { type: "string", pattern: uuidPattern };
const flag = { type: "boolean" };
const fraction = { type: "number", minimum: 0, maximum: 1 };
const number = { type: "number", minimum: -1_000_000, maximum: 1_000_000 };
const id = { type: "integer", minimum: 1, maximum: Number.MAX_SAFE_INTEGER };

/** PostgreSQL stores neither NUL nor half of a surrogate pair. */
const storable = String.raw`^[^\u0000\p{Cs}]*$`;

type Schema = Readonly<Record<string, unknown>>;

function object(properties: Record<string, Schema>, required = Object.keys(properties)): Schema {
  return { type: "object", additionalProperties: false, properties, required };
}

function text(maxLength: number, minLength = 1): Schema {
  return { type: "string", minLength, maxLength, pattern: storable };
}

function orNull(schema: Schema): Schema {
  return { anyOf: [schema, { type: "null" }] };
}

const point = object({ x: fraction, y: fraction });

const camera = object({
  facing: { enum: ["user", "environment", null] },
  canSwitch: flag,
  isTorchOn: orNull(flag),
  zoom: orNull(object({ min: number, max: number, step: number, value: number })),
});

const state = object(
  {
    isMicOn: flag,
    isCameraOn: flag,
    isSharing: flag,
    isPaused: flag,
    isHandRaised: flag,
    isRecording: flag,
    quality: { enum: callQualities },
    camera: orNull(camera),
  },
  [],
);

const description = object({
  type: { enum: descriptionTypes },
  sdp: text(maxSdp, 0),
});

const candidate = object({
  candidate: text(2_000, 0),
  sdpMid: orNull(text(64, 0)),
  sdpMLineIndex: orNull({ type: "integer", minimum: 0, maximum: 64 }),
  usernameFragment: orNull(text(256, 0)),
});

const streams = object({ camera: orNull(text(128)), screen: orNull(text(128)) });

const signal = {
  oneOf: [
    object({ to: uuid, description, streams }, ["to", "description"]),
    object({ to: uuid, candidate: orNull(candidate) }),
  ],
};

function named(name: string, properties: Record<string, Schema> = {}): Schema {
  return object({ name: { const: name }, ...properties });
}

const command = {
  oneOf: [
    named("snapshot"),
    named("switch-camera"),
    named("torch", { isOn: flag }),
    named("zoom", { value: number }),
    named("locate", { requestId: text(64) }),
    named("mute"),
  ],
};

const result = {
  oneOf: [
    object({ ok: { const: true }, mediaId: id }, ["ok"]),
    object({
      ok: { const: false },
      reason: { enum: commandFailures },
    }),
  ],
};

const shape = object(
  {
    id: uuid,
    tool: { enum: drawTools },
    color: { type: "string", pattern: "^#[0-9a-f]{6}$" },
    points: { type: "array", items: point, minItems: 1, maxItems: 200 },
    text: text(200),
    number: { type: "integer", minimum: 1, maximum: 999 },
  },
  ["id", "tool", "color", "points"],
);

const board = {
  oneOf: [
    object({
      op: { const: "open" },
      mediaId: id,
      shapes: { type: "array", items: shape, maxItems: 200 },
    }),
    object({ op: { const: "put" }, shape }),
    object({ op: { const: "remove" }, id: uuid }),
    object({ op: { const: "clear" } }),
    object({ op: { const: "close" } }),
    object({
      op: { const: "state" },
      mediaId: orNull(id),
      shapes: { type: "array", items: shape, maxItems: 200 },
      removed: { type: "array", items: uuid, maxItems: 500 },
      isOpener: flag,
      isReply: flag,
    }),
  ],
};

const record = {
  oneOf: [
    object({ step: { const: "ask" } }),
    object({ step: { const: "answer" }, isAccepted: flag }),
  ],
};

/** `guest-<uuid>`, `user-3`, `agent:3`, `requestor`. */
const participant = { type: "string", pattern: "^[a-z0-9:-]{1,64}$" };
const participants = { type: "array", items: participant, minItems: 1, maxItems: 1_000 };

/** The readers throw a problem that names the invalid field. */
export const readState = createMessageReader(() => compileMessage<Partial<PeerState>>(state));
export const readSignal = createMessageReader(() =>
  compileMessage<CallSignal & { to: string }>(signal),
);
export const readCommand = createMessageReader(() =>
  compileMessage<{ to: string; id: string; command: CallCommand }>(
    object({ to: uuid, id: uuid, command }),
  ),
);
export const readResult = createMessageReader(() =>
  compileMessage<{ to: string; id: string; result: CommandResult }>(
    object({ to: uuid, id: uuid, result }),
  ),
);
export const readPointer = createMessageReader(() =>
  compileMessage<{ point: Point | null }>(object({ point: orNull(point) })),
);
export const readBoard = createMessageReader(() => compileMessage<BoardChange>(board));
export const readShared = createMessageReader(() =>
  compileMessage<{ mediaId: number }>(object({ mediaId: id })),
);
export const readRecording = createMessageReader(() => compileMessage<RecordingMessage>(record));
export const readMediaFailure = createMessageReader(() =>
  compileMessage<{ kind: MediaRoute["kind"] }>(object({ kind: { enum: ["mesh", "livekit"] } })),
);
export const readAdmit = createMessageReader(() =>
  compileMessage<{ participants: readonly string[] | "all" }>(
    object({ participants: { oneOf: [{ const: "all" }, participants] } }),
  ),
);
export const readDeny = createMessageReader(() =>
  compileMessage<{ participants: readonly string[] }>(object({ participants })),
);
export const readRemove = createMessageReader(() =>
  compileMessage<{ participant: string }>(object({ participant })),
);
export const readLock = createMessageReader(() =>
  compileMessage<{ isLocked: boolean }>(object({ isLocked: flag })),
);
