import type { Role } from "../../src/contracts/permissions.ts";
export type TestUser = Readonly<{
  id: number;
  enterpriseId: number;
  login: string;
  role: Role;
  groupIds: readonly number[];
}>;

export type TestCall = {
  as?: TestUser;
  /** A room token, for guest operations. */
  token?: string;
  json?: unknown;
  form?: Record<string, string>;
  headers?: Record<string, string>;
};

export type TestAnswer = {
  status: number;
  headers: Headers;
  text: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- a test asserts on JSON of any shape
  body: any;
};

function requestOf(call: TestCall): { headers: Record<string, string>; body?: string } {
  const bearer = call.token ?? call.as?.login;
  const headers = {
    ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
    ...call.headers,
  };
  if (call.json !== undefined) {
    return {
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(call.json),
    };
  }
  if (call.form !== undefined) {
    return {
      headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
      body: new URLSearchParams(call.form).toString(),
    };
  }
  return { headers };
}

/** Calls an operation of a test's server: `POST /tickets`. */
export async function callWith(
  serverUrl: string,
  operation: string,
  input: TestCall = {},
): Promise<TestAnswer> {
  const [method = "GET", path = ""] = operation.split(" ");
  const response = await fetch(`${serverUrl}/api${path}`, { method, ...requestOf(input) });
  const text = await response.text();
  const { status, headers } = response;
  return { status, headers, text, body: text === "" ? undefined : JSON.parse(text) };
}
