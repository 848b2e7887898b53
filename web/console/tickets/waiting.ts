import type { components } from "../../base/api-types.ts";

type Room = Pick<components["schemas"]["LiveRoom"], "type" | "subject_id"> &
  Readonly<{ people: readonly Pick<components["schemas"]["LiveRoomPerson"], "role">[] }>;

/** The tickets whose customer is in the room without an agent. Pure. */
export function waitingIn(rooms: readonly Room[]): readonly number[] {
  return rooms
    .filter(({ type, people }) => {
      const roles = people.map(({ role }) => role);
      return type === "ticket" && roles.includes("requestor") && !roles.includes("agent");
    })
    .map(({ subject_id: id }) => id);
}
