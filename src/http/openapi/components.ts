export const headers = {
  "X-Request-Id": text("The id of the request, to name it to support", "6b1c1f0e-…"),
  "X-RateLimit-Limit": integer("Calls that the current period allows", 600),
  "X-RateLimit-Remaining": integer("Calls that are left in it", 599),
  "X-RateLimit-Reset": integer("Seconds until it ends", 60),
  "Retry-After": integer("Seconds after which another try makes sense", 12),
  "X-Total-Count": integer("How many the whole list has", 84),
  Link: text(
    "The first, previous, next and last page (RFC 8288)",
    '</api/tickets?limit=10&offset=10>; rel="next"',
  ),
  Location: text("Path of what was created", "/api/tickets/12"),
  "Idempotent-Replayed": text("`true`: the answer of an earlier, equal request", "true"),
  "WWW-Authenticate": text("How to sign in", 'Bearer realm="api"'),
} as const;

export const parameters = {
  IdempotencyKey: {
    name: "Idempotency-Key",
    in: "header",
    required: false,
    description:
      "Makes a repeated request safe: within 24 hours the same key gives the first one's answer.",
    schema: { type: "string", minLength: 1, maxLength: 255 },
  },
} as const;

export const securitySchemes = {
  access_token: {
    type: "http",
    scheme: "bearer",
    description: "The access token of a user, from `POST /api/token`",
  },
  room_token: {
    type: "http",
    scheme: "bearer",
    bearerFormat: "JWT",
    description: "The token that somebody in a room got with the link",
  },
} as const;

function integer(description: string, example: number) {
  return {
    description,
    schema: { type: "integer", minimum: 0 },
    example,
  };
}

function text(description: string, example: string) {
  return {
    description,
    schema: { type: "string" },
    example,
  };
}
