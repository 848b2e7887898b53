/** Settings of mail, SMS, files and MLLP. */
export const providerSettings = {
  MAIL_PROVIDER: {
    type: "string",
    enum: ["smtp", "dev"],
    defaultNote: "`smtp` with an SMTP_URL, else `dev`",
    meaning:
      "How emails are sent. `dev` sends nothing: the page `/mailbox` shows the emails. The old value `outbox` is deprecated.",
  },
  SMTP_URL: {
    type: "string",
    pattern: "^smtps?://",
    isSecret: true,
    meaning: "Mail server: `smtps://login:password@host:465`, or `smtp://…` with STARTTLS.",
  },
  MAIL_FROM: {
    type: "string",
    default: "Sightline <no-reply@sightline.example>",
    meaning: "Sender of every email.",
  },
  SMS_PROVIDER: {
    type: "string",
    enum: ["http", "twilio", "dev"],
    defaultNote: "`twilio` or `http` if it is configured, else `dev`",
    meaning:
      "How SMS are sent. `dev` sends nothing: the page `/mailbox` shows the SMS. The old value `outbox` is deprecated.",
  },
  SMS_HTTP_URL: {
    type: "string",
    pattern: "^https?://",
    meaning: "SMS gateway that accepts a JSON POST.",
  },
  SMS_HTTP_TOKEN: {
    type: "string",
    isSecret: true,
    meaning: "Bearer token for that gateway.",
  },
  SMS_HTTP_SECRET: {
    type: "string",
    isSecret: true,
    meaning: "Key of the HMAC-SHA256 in the gateway's status callbacks.",
  },
  TWILIO_ACCOUNT_SID: {
    type: "string",
    pattern: "^AC[0-9a-fA-F]{32}$",
    meaning: "Account of the Twilio REST API.",
  },
  TWILIO_AUTH_TOKEN: {
    type: "string",
    isSecret: true,
    meaning: "Token of that account. Also checks the signature of status callbacks.",
  },
  TWILIO_FROM: {
    type: "string",
    meaning: "Sender: a number of that account, or the id of a messaging service.",
  },
  TWILIO_API_URL: {
    type: "string",
    default: "https://api.twilio.com",
    pattern: "^https?://",
    meaning: "Address of the Twilio REST API.",
  },
  BLOB_STORE: {
    type: "string",
    enum: ["disk", "s3"],
    defaultNote: "`s3` with an S3_BUCKET, else `disk`",
    meaning: "Where files are stored.",
  },
  BLOB_DIR: {
    type: "string",
    defaultNote: "`blobs` in DATA_DIR",
    meaning: "Folder of the files on disk, shared by all processes.",
  },
  S3_BUCKET: {
    type: "string",
    meaning: "Bucket of the files. It must exist.",
  },
  S3_ENDPOINT: {
    type: "string",
    pattern: "^https?://",
    defaultNote: "AWS",
    meaning: "Address of an S3-compatible store.",
  },
  S3_REGION: {
    type: "string",
    default: "us-east-1",
    meaning: "Region of the bucket.",
  },
  S3_ACCESS_KEY_ID: {
    type: "string",
    meaning: "Access key of the store.",
  },
  S3_SECRET_ACCESS_KEY: {
    type: "string",
    isSecret: true,
    meaning: "Secret key of the store.",
  },
  MLLP_PORT: {
    type: "integer",
    default: 0,
    minimum: 0,
    maximum: 65535,
    meaning: "Port on which the web process accepts HL7 v2 over MLLP. 0: off.",
  },
  MLLP_HOST: {
    type: "string",
    default: "127.0.0.1",
    meaning: "Address of that port. MLLP has no authentication: keep it inside your network.",
  },
  MLLP_LOGIN: {
    type: "string",
    meaning: "Login of the user for whom MLLP messages act. Required with an MLLP_PORT.",
  },
  STUN_URLS: {
    type: "string",
    pattern: "^stuns?:[^,\\s]+(,stuns?:[^,\\s]+)*$",
    defaultNote: "none",
    meaning: "STUN servers of calls, separated by commas: stun:host:port.",
  },
  TURN_URLS: {
    type: "string",
    pattern: "^turns?:[^,\\s]+(,turns?:[^,\\s]+)*$",
    defaultNote: "none",
    meaning:
      "TURN servers of calls, separated by commas: turn:host:3478?transport=udp, turns:host:443. " +
      "Expect 15 to 25 % of the calls to need one.",
  },
  TURN_SECRET: {
    type: "string",
    isSecret: true,
    meaning: "Secret shared with coturn (use-auth-secret). Required with TURN_URLS.",
  },
  LIVEKIT_URL: {
    type: "string",
    pattern: "^wss?://[^\\s/]+/?$",
    defaultNote: "none: calls use a mesh",
    meaning: "LiveKit server of larger calls, as browsers reach it: wss://livekit.example.com.",
  },
  LIVEKIT_API_URL: {
    type: "string",
    pattern: "^https?://[^\\s/]+/?$",
    defaultNote: "LIVEKIT_URL, over HTTP",
    meaning: "The same server, as the web processes reach it: http://livekit.internal:7880.",
  },
  LIVEKIT_API_KEY: {
    type: "string",
    meaning: "API key of the LiveKit server. Required with LIVEKIT_URL.",
  },
  LIVEKIT_API_SECRET: {
    type: "string",
    isSecret: true,
    meaning: "Secret of that key. Required with LIVEKIT_URL.",
  },
  ICE_POLICY: {
    type: "string",
    enum: ["all", "relay"],
    default: "all",
    meaning:
      "relay: media use the TURN servers only, so that participants do not learn each other's IP addresses.",
  },
} as const satisfies Record<string, Setting>;

/** The definition of a setting. */
export type Setting = {
  type: "integer" | "string" | "boolean";
  meaning: string;
  default?: string | number | boolean;
  /** Describes a default that is not a single value. */
  defaultNote?: string;
  minimum?: number;
  maximum?: number;
  pattern?: string;
  enum?: readonly string[];
  isSecret?: true;
};
