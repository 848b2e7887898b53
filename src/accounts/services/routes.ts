import type { Survey } from "../../contracts/directory.ts";
import { pageHeaders, parsePage } from "../../http/paging.ts";
import { idParams } from "../../http/schema.ts";
import { created, noContent, ok, route, type Route } from "../../http/route.ts";
import { actorOf } from "../changes.ts";
import { pageRule, parseSort } from "../fields.ts";
import {
  type NewService,
  type ServiceInput,
  presentService,
  changeServiceSchema,
  createServiceSchema,
  listServicesSchema,
  ownServiceListSchema,
  serviceListSchema,
  serviceSchema,
  surveySchema,
  type ListServicesQuery,
} from "./model.ts";
import type { ServiceAdministration } from "./service.ts";

export type ServiceRoutesDeps = Readonly<{ services: ServiceAdministration }>;

type ServiceParams = { serviceId: number };

const reading = { permission: "services.read", family: "solution", limit: "api" } as const;

const writing = { ...reading, permission: "services.write" } as const;

const params = idParams("serviceId");

export function createServiceRoutes(deps: ServiceRoutesDeps): Route[] {
  return [
    ...collectionRoutes(deps),
    ...currentUserRoutes(deps),
    ...itemRoutes(deps),
    ...surveyRoutes(deps),
  ];
}

function collectionRoutes(deps: ServiceRoutesDeps): Route[] {
  return [
    route<unknown, ListServicesQuery>({
      ...reading,
      method: "GET",
      path: "/services",
      operationId: "api.services.list",
      summary: "List the services of the enterprise, or find one by its key",
      query: listServicesSchema,
      answer: { status: 200, schema: serviceListSchema },
      handle: (request) => answerServiceList(deps, request.caller.enterpriseId, request),
    }),
    route<unknown, unknown, NewService>({
      ...writing,
      method: "POST",
      path: "/services",
      operationId: "api.services.create",
      summary: "Create a service with its first entry point",
      body: createServiceSchema,
      answer: { status: 201, schema: serviceSchema },
      handle: async (request) => {
        const service = await deps.services.create(actorOf(request), request.body);
        return created(presentService(service), `/api/services/${service.id}`);
      },
    }),
  ];
}

/** One page of an enterprise's services, shared by both list operations. */
export async function answerServiceList(
  { services }: ServiceRoutesDeps,
  enterpriseId: number,
  { query, url }: { query: ListServicesQuery; url: string },
) {
  const page = parsePage(query, pageRule);
  const { service_key: serviceKey, kind, search } = query;
  const filter = { serviceKey, kind, search };
  const found = await services.list(enterpriseId, filter, { ...parseSort(query), ...page });
  const data = found.services.map(presentService);
  return ok({ total: found.total, data }, pageHeaders(url, page, found.total));
}

function currentUserRoutes({ services }: ServiceRoutesDeps): Route[] {
  return [
    route({
      ...reading,
      permission: "authenticated",
      method: "GET",
      path: "/users/me/services",
      operationId: "api.users.me.services.list",
      summary: "List the services available to the current user, oldest first",
      answer: { status: 200, schema: ownServiceListSchema },
      handle: async ({ caller }) => {
        const data = await services.listAvailable(caller);
        return ok({ total: data.length, data });
      },
    }),
  ];
}

function itemRoutes({ services }: ServiceRoutesDeps): Route[] {
  return [
    route<ServiceParams>({
      ...reading,
      method: "GET",
      path: "/services/{serviceId}",
      operationId: "api.services.get",
      summary: "Read a service",
      params,
      answer: { status: 200, schema: serviceSchema },
      handle: async (request) =>
        ok(presentService(await services.get(actorOf(request), request.params.serviceId))),
    }),
    route<ServiceParams, unknown, ServiceInput>({
      ...writing,
      method: "PATCH",
      path: "/services/{serviceId}",
      operationId: "api.services.update",
      summary: "Change the settings of a service",
      params,
      body: changeServiceSchema,
      answer: { status: 200, schema: serviceSchema },
      handle: async (request) => {
        const { serviceId } = request.params;
        const service = await services.update(actorOf(request), serviceId, request.body);
        return ok(presentService(service));
      },
    }),
    route<ServiceParams>({
      ...writing,
      method: "DELETE",
      path: "/services/{serviceId}",
      operationId: "api.services.delete",
      summary: "Delete a service; its tickets and conferences are kept",
      params,
      answer: { status: 204 },
      handle: async (request) => {
        await services.remove(actorOf(request), request.params.serviceId);
        return noContent;
      },
    }),
    route<ServiceParams>({
      ...writing,
      method: "POST",
      path: "/services/{serviceId}/rotate-key",
      operationId: "api.services.rotateKey",
      summary: "Rotate the key of a service; the old key stops working",
      params,
      answer: { status: 200, schema: serviceSchema },
      handle: async (request) =>
        ok(presentService(await services.rotateKey(actorOf(request), request.params.serviceId))),
    }),
  ];
}

function surveyRoutes({ services }: ServiceRoutesDeps): Route[] {
  return [
    route<ServiceParams>({
      ...reading,
      method: "GET",
      path: "/services/{serviceId}/survey",
      operationId: "api.services.survey.get",
      summary: "Read the survey of a service",
      params,
      answer: { status: 200, schema: surveySchema },
      handle: async (request) =>
        ok(await services.getSurvey(actorOf(request), request.params.serviceId)),
    }),
    route<ServiceParams, unknown, Survey>({
      ...writing,
      method: "PUT",
      path: "/services/{serviceId}/survey",
      operationId: "api.services.survey.put",
      summary: "Replace the survey of a service",
      params,
      body: surveySchema,
      answer: { status: 200, schema: surveySchema },
      handle: async (request) => {
        const { serviceId } = request.params;
        return ok(await services.putSurvey(actorOf(request), serviceId, request.body));
      },
    }),
  ];
}
