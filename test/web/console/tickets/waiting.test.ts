import { expect } from "chai";
import { waitingIn } from "../../../../web/console/tickets/waiting.ts";

type Room = Parameters<typeof waitingIn>[0][number];

function room(subject_id: number, ...roles: Room["people"][number]["role"][]): Room {
  return { type: "ticket", subject_id, people: roles.map((role) => ({ role })) };
}

describe("the tickets with a waiting customer", () => {
  it("are those whose customer is in the room without an agent", () => {
    const rooms = [room(7, "requestor"), room(5, "requestor", "agent"), room(6, "agent"), room(4)];
    const meeting = { ...room(8, "participant"), type: "conference" } as const;
    expect(waitingIn([...rooms, meeting, room(2, "expert", "requestor")])).to.deep.equal([7, 2]);
  });
});
