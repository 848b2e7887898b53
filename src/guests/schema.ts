import { linkEnds } from "../contracts/tickets.ts";
import { idParams } from "../http/schema.ts";
import type { JsonSchema } from "../http/route.ts";
import { uuidPattern } from "../platform/ids.ts";

const uuid = { type: "string", pattern: uuidPattern };

export const secretParams: JsonSchema = {
  type: "object",
  required: ["secret"],
  properties: { secret: { type: "string", pattern: "^[0-9A-Za-z]{22}$" } },
};

export const codeParams: JsonSchema = {
  type: "object",
  required: ["code"],
  properties: { code: { type: "string", pattern: "^[0-9A-Za-z]{10}$" } },
};

export const ticketParams = idParams("ticketId");

export const positionParams: JsonSchema = {
  type: "object",
  required: ["requestId"],
  properties: { requestId: uuid },
};

const yes = { const: true };

const flag = { type: "boolean" };

export const clickSchema: JsonSchema = strictObject(
  { invitation: { type: "integer", minimum: 1, maximum: Number.MAX_SAFE_INTEGER } },
  [],
);

export type ClickBody = { invitation?: number };

export const consentSchema: JsonSchema = strictObject(
  {
    terms: yes,
    privacy: yes,
    textVersion: { type: "string", pattern: "^[0-9A-Za-z._-]{1,64}$" },
    language: { type: "string", pattern: "^[A-Za-z]{2,3}(-[0-9A-Za-z]{1,8})?$" },
    hasRecordingNotice: flag,
  },
  ["terms", "privacy", "textVersion", "language"],
);

/** Both flags must be true. */
export type ConsentBody = {
  terms: true;
  privacy: true;
  textVersion: string;
  language: string;
  hasRecordingNotice?: boolean;
};

export const devicesSchema: JsonSchema = strictObject({ camera: flag, microphone: flag });

export type DevicesBody = { camera: boolean; microphone: boolean };

export const positionSchema: JsonSchema = strictObject({
  geoloc: {
    ...strictObject(
      {
        lat: { type: "number", minimum: -90, maximum: 90 },
        lng: { type: "number", minimum: -180, maximum: 180 },
        accuracy: { type: "number", minimum: 0, maximum: 100_000_000 },
      },
      ["lat", "lng"],
    ),
    type: ["object", "null"],
  },
});

/** Null: denied, or no position was found in time. */
export type PositionBody = { geoloc: { lat: number; lng: number; accuracy?: number } | null };

const surveyAnswers = ["Not satisfied", "Satisfied", "Very satisfied"] as const;

export const surveySchema: JsonSchema = strictObject(
  {
    questions: {
      type: "array",
      minItems: 1,
      maxItems: 5,
      items: strictObject({
        id: { type: "integer", minimum: 1, maximum: 5 },
        answer: { type: "string", enum: surveyAnswers },
      }),
    },
    feedback: { type: "string", maxLength: 2_000 },
  },
  ["questions"],
);

export type SurveyBody = {
  questions: { id: number; answer: (typeof surveyAnswers)[number] }[];
  feedback?: string;
};

const text = { type: "string" };

const nullableText = { type: ["string", "null"] };

const timestamp = { type: "string", format: "date-time" };

export const linkAnswer: JsonSchema = titled("GuestLink", {
  state: text,
  service_name: text,
  enterprise_name: text,
  agent_name: text,
  name: nullableText,
  subject: nullableText,
  language: nullableText,
  start_time: timestamp,
  end_time: timestamp,
  requestor_url: { type: "string", format: "uri" },
  asks: { type: "array", items: { type: "string", enum: ["camera", "microphone", "position"] } },
  is_survey_due: flag,
});

export const roomTokenAnswer: JsonSchema = titled("RoomToken", {
  room_token: text,
  expires_in: { type: "integer" },
  role: text,
  participant: text,
  visit: text,
});

const positionRequestMembers = { id: uuid, created: timestamp };

export const positionRequestAnswer: JsonSchema = titled("PositionRequest", positionRequestMembers);

export const positionAnswer: JsonSchema = titled("CustomerPosition", {
  geoloc: {
    ...strictObject({ lat: { type: "number" }, lng: { type: "number" } }),
    type: ["object", "null"],
  },
  accuracy: { type: ["number", "null"] },
  created: { type: ["string", "null"], format: "date-time" },
});

const openPositionRequest = { ...strictObject(positionRequestMembers), type: ["object", "null"] };

export const consentAnswer: JsonSchema = titled("GuestConsent", {
  position_request: openPositionRequest,
});

export const visitAnswer: JsonSchema = titled("GuestVisit", {
  state: text,
  has_consent: flag,
  has_devices: flag,
  is_accepted: flag,
  position_request: openPositionRequest,
  is_survey_due: flag,
  end_reason: { type: ["string", "null"], enum: [...linkEnds, null] },
});

export const iceAnswer: JsonSchema = titled("IceServers", {
  servers: {
    type: "array",
    items: strictObject(
      { urls: { type: "array", items: text }, username: text, credential: text },
      ["urls"],
    ),
  },
  policy: { type: "string", enum: ["all", "relay"] },
  expires_in: { type: ["integer", "null"] },
});

export const surveyAnswer: JsonSchema = titled("GuestSurvey", {
  questions: {
    type: "array",
    items: strictObject({
      id: { type: "integer" },
      label: { type: "object", additionalProperties: { type: "string" } },
    }),
  },
  answers: { type: "array", items: { type: "string", enum: surveyAnswers } },
  has_feedback: flag,
});

export const surveyAnswerWords: readonly string[] = surveyAnswers;

function titled(title: string, properties: Record<string, JsonSchema>): JsonSchema {
  return {
    title,
    ...strictObject(properties),
  };
}

function strictObject(
  properties: Record<string, JsonSchema>,
  required = Object.keys(properties),
): JsonSchema {
  return { type: "object", additionalProperties: false, required, properties };
}
