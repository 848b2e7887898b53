import { pageHeaders, parsePage } from "../../http/paging.ts";
import { idParams } from "../../http/schema.ts";
import { created, noContent, ok, route, type Route } from "../../http/route.ts";
import { actorOf } from "../changes.ts";
import { pageRule, parseSort } from "../fields.ts";
import {
  type UserInput,
  presentUser,
  changeMeSchema,
  changeUserSchema,
  createUserSchema,
  listUsersSchema,
  userListSchema,
  userSchema,
  type ChangeMeBody,
  type ListUsersQuery,
} from "./model.ts";
import type { Users } from "./service.ts";

export type UserRoutesDeps = Readonly<{ users: Users; baseUrl: string }>;

type UserParams = { userId: number };

const reading = { permission: "users.read", family: "solution", limit: "api" } as const;

const writing = { ...reading, permission: "users.write" } as const;

const params = idParams("userId");

export function createUserRoutes(deps: UserRoutesDeps): Route[] {
  return [...collectionRoutes(deps), ...itemRoutes(deps), ...signInRoutes(deps)];
}

function collectionRoutes(deps: UserRoutesDeps): Route[] {
  return [
    route<unknown, ListUsersQuery>({
      ...reading,
      method: "GET",
      path: "/users",
      operationId: "api.users.list",
      summary: "List the users of the enterprise",
      query: listUsersSchema,
      answer: { status: 200, schema: userListSchema },
      handle: (request) => answerUserList(deps, request.caller.enterpriseId, request),
    }),
    route<unknown, unknown, UserInput>({
      ...writing,
      method: "POST",
      path: "/users",
      operationId: "api.users.create",
      summary: "Create a user; without a password, a link to set one is mailed",
      aliases: ["/createUser"],
      body: createUserSchema,
      answer: { status: 201, schema: userSchema },
      problems: ["quota_reached"],
      handle: async (request) => {
        const user = await deps.users.create(actorOf(request), request.body);
        return created(presentUser(user, deps.baseUrl), `/api/users/${user.id}`);
      },
    }),
    route<unknown, unknown, ChangeMeBody>({
      permission: "authenticated",
      family: "solution",
      limit: "api",
      method: "PATCH",
      path: "/users/me",
      operationId: "api.users.updateMe",
      summary: "Change the current user; a new password revokes all their tokens",
      body: changeMeSchema,
      answer: { status: 200, schema: userSchema },
      handle: async (request) =>
        ok(presentUser(await deps.users.updateSelf(actorOf(request), request.body), deps.baseUrl)),
    }),
  ];
}

/** One page of an enterprise's users, shared by both list operations. */
export async function answerUserList(
  { users, baseUrl }: UserRoutesDeps,
  enterpriseId: number,
  { query, url }: { query: ListUsersQuery; url: string },
) {
  const page = parsePage(query, pageRule);
  const { search, group, role, isActive } = query;
  const filter = { search, group, role, isActive };
  const found = await users.list(enterpriseId, filter, { ...parseSort(query), ...page });
  const data = found.users.map((user) => presentUser(user, baseUrl));
  return ok({ total: found.total, data }, pageHeaders(url, page, found.total));
}

function itemRoutes({ users, baseUrl }: UserRoutesDeps): Route[] {
  return [
    route<UserParams>({
      ...reading,
      method: "GET",
      path: "/users/{userId}",
      operationId: "api.users.get",
      summary: "Read a user",
      params,
      answer: { status: 200, schema: userSchema },
      handle: async (request) =>
        ok(presentUser(await users.get(actorOf(request), request.params.userId), baseUrl)),
    }),
    route<UserParams, unknown, UserInput>({
      ...writing,
      method: "PATCH",
      path: "/users/{userId}",
      operationId: "api.users.update",
      summary:
        "Change a user; a new password or deactivation revokes all their tokens, another role all except API tokens",
      params,
      body: changeUserSchema,
      answer: { status: 200, schema: userSchema },
      problems: ["quota_reached"],
      handle: async (request) => {
        const user = await users.update(actorOf(request), request.params.userId, request.body);
        return ok(presentUser(user, baseUrl));
      },
    }),
    route<UserParams>({
      ...writing,
      method: "DELETE",
      path: "/users/{userId}",
      operationId: "api.users.delete",
      summary: "Deactivate a user and delete their personal data",
      params,
      answer: { status: 204 },
      handle: async (request) => {
        await users.remove(actorOf(request), request.params.userId);
        return noContent;
      },
    }),
  ];
}

function signInRoutes({ users }: UserRoutesDeps): Route[] {
  return [
    route<UserParams>({
      ...writing,
      method: "POST",
      path: "/users/{userId}/password-reset",
      operationId: "api.users.resetPassword",
      summary: "Send the user a password-reset link that is valid for one hour",
      params,
      answer: { status: 202 },
      handle: async (request) => {
        await users.sendReset(actorOf(request), request.params.userId);
        return { status: 202 };
      },
    }),
    route<UserParams>({
      ...writing,
      method: "DELETE",
      path: "/users/{userId}/tokens",
      operationId: "api.users.signOut",
      summary: "Revoke all tokens of a user",
      params,
      answer: { status: 204 },
      handle: async (request) => {
        await users.signOut(actorOf(request), request.params.userId);
        return noContent;
      },
    }),
  ];
}
