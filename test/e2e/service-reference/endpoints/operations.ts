/** The operations of the nine families in the API reference. */
const families: Readonly<Record<string, readonly string[]>> = {
  "/users": [
    "GET POST /users",
    "GET PATCH DELETE /users/{}",
    "GET PATCH /users/me",
    "POST /users/{}/password-reset",
    "DELETE /users/{}/tokens",
  ],
  "/enterprises": [
    "GET POST /enterprises",
    "GET PATCH /enterprises/{}",
    "GET /enterprises/{}/users",
    "GET /enterprises/{}/services",
    "GET POST /enterprises/{}/user-groups",
    "PATCH DELETE /enterprises/{}/user-groups/{}",
    "GET /enterprises/{}/tickets-stats",
    "GET /enterprises/{}/tickets/{}/medias",
    "GET /enterprises/{}/statistics",
    "GET /enterprises/{}/quota",
    "GET POST /enterprises/{}/domains",
  ],
  "/service": [
    "GET POST /services",
    "GET PATCH DELETE /services/{}",
    "POST /services/{}/rotate-key",
    "GET PUT /service/{}/templates",
    "GET PUT /services/{}/survey",
    "GET POST /services/{}/buttons",
  ],
  "/tickets": [
    "GET POST /tickets",
    "GET PATCH DELETE /tickets/{}",
    "POST /tickets/{}/invitations",
    "POST /tickets/{}/approve",
    "POST /tickets/{}/reject",
    "POST /tickets/{}/take",
    "POST /tickets/{}/complete",
    "POST /tickets/{}/cancel",
    "POST /tickets/{}/close",
    "PUT /tickets/{}/agent",
    "GET /tickets/{}/medias",
    "GET /tickets/{}/events",
    "GET /tickets/{}/sessions",
  ],
  "/conferences": [
    "GET POST /conferences",
    "GET PATCH DELETE /conferences/{}",
    "POST /conferences/{}/invitations",
    "POST /conferences/{}/end",
    "GET /conferences/{}/media",
    "GET /conferences/{}/participants",
    "GET /conferences/{}/checkAccess",
  ],
  "/sessions": ["GET /sessions", "GET /sessions/{}"],
  "/conversations": [
    "GET /conversations",
    "GET /conversations/{}",
    "GET POST /conversations/{}/messages",
    "GET /conversations/{}/timeline",
  ],
  "/medias": [
    "GET POST /medias",
    "GET PATCH DELETE /medias/{}",
    "GET /medias/{}/download",
    "POST /medias/{}/ocr",
  ],
  "/sms and /emails": [
    "GET POST /sms",
    "GET /sms/{}",
    "POST /sms/status/{}",
    "GET POST /emails",
    "GET /emails/{}",
  ],
  "/hl7": ["POST /hl7", "GET /hl7/messages", "GET /hl7/messages/{}"],
};

function expand(line: string): string[] {
  const words = line.split(" ");
  const path = words.at(-1) ?? "";
  return words.slice(0, -1).map((method) => `${method} /api${path}`);
}

/** `GET /api/tickets/{}`. */
export const familyOperations: readonly string[] = Object.values(families).flat().flatMap(expand);
