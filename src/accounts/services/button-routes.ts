import { idParams } from "../../http/schema.ts";
import { created, noContent, ok, route, type Route } from "../../http/route.ts";
import { actorOf } from "../changes.ts";
import type { Buttons } from "./buttons.ts";
import {
  presentButton,
  buttonListSchema,
  buttonSchema,
  changeButtonSchema,
  createButtonSchema,
  type ButtonInput,
} from "./schema.ts";

export type ButtonRoutesDeps = Readonly<{ buttons: Buttons; baseUrl: string }>;

type ButtonListParams = { serviceId: number };

const reading = { permission: "services.read", family: "solution", limit: "api" } as const;

type ButtonParams = ButtonListParams & { buttonId: number };

const writing = { ...reading, permission: "services.write" } as const;

const params = idParams("serviceId");

const buttonPath = "/services/{serviceId}/buttons/{buttonId}";

const buttonParams = idParams("serviceId", "buttonId");

export function createButtonRoutes({ buttons, baseUrl }: ButtonRoutesDeps): Route[] {
  return [
    route<ButtonListParams>({
      ...reading,
      method: "GET",
      path: "/services/{serviceId}/buttons",
      operationId: "api.services.buttons.list",
      summary: "List the entry points of a service, oldest first",
      params,
      answer: { status: 200, schema: buttonListSchema },
      handle: async ({ caller, params: { serviceId } }) => {
        const ref = { enterpriseId: caller.enterpriseId, id: serviceId };
        const data = (await buttons.list(ref)).map((button) => presentButton(button, baseUrl));
        return ok({ total: data.length, data });
      },
    }),
    route<ButtonListParams, unknown, ButtonInput>({
      ...writing,
      method: "POST",
      path: "/services/{serviceId}/buttons",
      operationId: "api.services.buttons.create",
      summary: "Add an entry point to a service",
      params,
      body: createButtonSchema,
      answer: { status: 201, schema: buttonSchema },
      handle: async (request) => {
        const { serviceId } = request.params;
        const button = await buttons.create(actorOf(request), serviceId, request.body);
        const location = `/api/services/${serviceId}/buttons/${button.id}`;
        return created(presentButton(button, baseUrl), location);
      },
    }),
    route<ButtonParams, unknown, ButtonInput>({
      ...writing,
      method: "PATCH",
      path: buttonPath,
      operationId: "api.services.buttons.update",
      summary: "Rename, enable or disable an entry point",
      params: buttonParams,
      body: changeButtonSchema,
      answer: { status: 200, schema: buttonSchema },
      handle: async (request) => {
        const { serviceId, buttonId: id } = request.params;
        const change = { id, input: request.body };
        const button = await buttons.update(actorOf(request), serviceId, change);
        return ok(presentButton(button, baseUrl));
      },
    }),
    route<ButtonParams>({
      ...writing,
      method: "DELETE",
      path: buttonPath,
      operationId: "api.services.buttons.delete",
      summary: "Delete an entry point; its tickets are kept",
      params: buttonParams,
      answer: { status: 204 },
      handle: async (request) => {
        const { serviceId, buttonId } = request.params;
        await buttons.remove(actorOf(request), serviceId, buttonId);
        return noContent;
      },
    }),
  ];
}
