/** The arguments of `loadAgent`, from `GET /api/v2/users/me`. */
export type Me = Readonly<{
  userId: number;
  apiKey: string;
  nickname: string;
  token: string;
  mail: string;
}>;

export type DemoTicket = Readonly<{ id: number; secret: string }>;

export async function signIn(username: string, password: string): Promise<Me> {
  const issued = await call("POST /api/token", undefined, {
    grant_type: "password",
    username,
    password,
  });
  const token = String(issued["access_token"]);
  return (await call("GET /api/v2/users/me", token)) as unknown as Me;
}

/** Revokes the token and all others of the same sign-in. */
export async function signOut(token: string): Promise<void> {
  await call("DELETE /api/token", token);
}

/** A ticket of the agent, with a customer who is invited. */
export async function createTicket(token: string, agent: string): Promise<DemoTicket> {
  const ticket = await call("POST /api/tickets", token, {
    agent,
    email: "jane.doe@example.com",
    firstname: "Jane",
    lastname: "Doe",
    subject: "The loader demo",
    invite: 1,
  });
  const address = String(ticket["requestor_url"]);
  return { id: Number(ticket["id"]), secret: address.slice(address.lastIndexOf("/") + 1) };
}

/** The room token that the customer's page gets. */
export async function enterRoom({ secret }: DemoTicket): Promise<string> {
  return String((await call(`POST /api/guest/tickets/${secret}/token`))["room_token"]);
}

/** The few calls that the backend of a real system makes. */
type Body = Record<string, unknown>;

async function call(operation: string, token?: string, body?: Body): Promise<Body> {
  const [method = "GET", path = ""] = operation.split(" ");
  const answer = await fetch(path, {
    method,
    credentials: "omit",
    headers: {
      Accept: "application/json",
      ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { "Content-Type": "application/json" }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const json = (await answer.json().catch(() => ({}))) as Body;
  if (!answer.ok) {
    const { detail } = json;
    throw new Error(typeof detail === "string" ? detail : String(answer.status));
  }
  return json;
}
