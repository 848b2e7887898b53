/** Calls of an agent and a customer on two processes, to which experts are invited. */
import { anAgreedRoom } from "./tenant-rooms.ts";
import { useSignalling } from "./signalling-fixture.ts";
import { joinCall } from "./signalling.ts";

// oxlint-disable-next-line typescript/no-explicit-any -- a test asserts on JSON of any shape
type Answer = { status: number; body: any };

/**
 * The platform, and the actions of the people around such a call, for each test of the surrounding
 * `describe`.
 */
export function useExpertCalls() {
  const fixture = useSignalling({ nodes: 2 });
  const { database } = fixture;

  const call = async (operation: string, token?: string, body?: object): Promise<Answer> => {
    const [method = "GET", path = ""] = operation.split(" ");
    const isForm = body instanceof FormData;
    const response = await fetch(`${fixture.node.url}${path}`, {
      method,
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined || isForm ? {} : { "content-type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: text.startsWith("{") ? JSON.parse(text) : { text } };
  };

  /** A running call of an agent and a customer, on two processes. */
  const aCall = async () => {
    const room = await anAgreedRoom(database.db, fixture.tenant);
    const { ticketId } = room.guest;
    const agent = await joinCall(fixture.node, room.agent);
    const customer = await joinCall(fixture.at(1), room.customer);
    const { token: staff } = fixture.tenant.members.agent;
    const invite = (body: object) => call(`POST /api/tickets/${ticketId}/experts`, staff, body);
    return { ...room, ticketId, agent, customer, staff, invite };
  };

  const secretIn = (link: string): string => link.split("/x/")[1] ?? "";

  const enter = (link: string, body: object = {}) =>
    call(`POST /api/guest/experts/${secretIn(link)}/token`, undefined, body);

  /** The same call with an expert who participates. */
  const aCallWithExpert = async () => {
    const made = await aCall();
    const { body: invited } = await made.invite({ email: "vera@example.com", name: "Vera Klein" });
    const { body } = await enter(invited.link);
    const expert = await joinCall(fixture.at(1), body.room_token);
    return { ...made, invited, link: invited.link as string, expert, token: body.room_token };
  };

  return { fixture, database, call, aCall, secretIn, enter, aCallWithExpert };
}
