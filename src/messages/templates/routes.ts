import { languages } from "../../contracts/languages.ts";
import { channels } from "../../contracts/invitations.ts";
import {
  exactObject,
  integer,
  listOf,
  nullableInteger,
  nullableText,
  text,
  timestamp,
  idParams,
  oneLine,
} from "../../http/schema.ts";
import {
  noContent,
  ok,
  route,
  type ApiRequest,
  type Caller,
  type JsonSchema,
  type Route,
} from "../../http/route.ts";
import { toTimestamp } from "../../platform/timestamps.ts";
import { countSegments } from "../model.ts";
import type { Template, TemplateScope, Wording } from "./store.ts";
import { templateKinds } from "../../contracts/message-templates.ts";
import type { Rendered } from "./render.ts";
import type { TemplateEditor, PreviewOrder, Templates } from "./service.ts";

export type TemplateRoutesDeps = Readonly<{
  templates: Templates;
  /** Throws 404 unless the caller may see the enterprise. */
  requireEnterprise: (caller: Caller, enterpriseId: number) => Promise<unknown>;
}>;

const templateKeyFields = {
  kind: { type: "string", enum: templateKinds },
  channel: { type: "string", enum: channels },
  language: { type: "string", enum: languages },
} as const;

const contentFields = {
  subject: { type: ["string", "null"], maxLength: 255, ...oneLine },
  text: { type: "string", minLength: 1, maxLength: 20_000 },
  html: { type: ["string", "null"], minLength: 1, maxLength: 100_000 },
} as const;

type TemplateParams = Record<string, number>;

export function templateRoutes({ templates, requireEnterprise }: TemplateRoutesDeps): Route[] {
  return [
    ...parentRoutes(templates, {
      path: "/service/{serviceId}",
      family: "service",
      of: "a service",
      param: "serviceId",
      permissions: { read: "services.read", write: "services.write" },
      scopeOf: async ({ caller, params }) => ({
        enterpriseId: caller.enterpriseId,
        serviceId: (params as TemplateParams)["serviceId"] ?? 0,
      }),
    }),
    ...parentRoutes(templates, {
      path: "/enterprises/{enterpriseId}",
      family: "enterprises",
      of: "an enterprise",
      param: "enterpriseId",
      permissions: { read: "enterprises.read", write: "enterprises.write" },
      scopeOf: async ({ caller, params }) => {
        const enterpriseId = (params as TemplateParams)["enterpriseId"] ?? 0;
        await requireEnterprise(caller, enterpriseId);
        return { enterpriseId, serviceId: null };
      },
    }),
  ];
}

const templateSchema = exactObject("Template", {
  id: integer,
  serviceId: nullableInteger,
  ...templateKeyFields,
  subject: nullableText,
  text,
  html: nullableText,
  created: timestamp,
  modified: timestamp,
});

const previewSchema = exactObject("TemplatePreview", {
  ...templateKeyFields,
  subject: nullableText,
  text,
  html: nullableText,
  segments: nullableInteger,
  characters: integer,
  encoding: { type: ["string", "null"], enum: ["GSM-7", "UCS-2", null] },
});

const putSchema: JsonSchema = {
  type: "object",
  additionalProperties: false,
  required: ["kind", "channel", "language", "text"],
  properties: { ...templateKeyFields, ...contentFields },
};

type PutBody = Pick<Wording, "kind" | "channel" | "language" | "text"> & {
  subject?: string | null;
  html?: string | null;
};

const previewBody: JsonSchema = {
  type: "object",
  additionalProperties: false,
  required: ["kind", "channel", "language"],
  properties: {
    ...templateKeyFields,
    ...contentFields,
    builtIn: { type: "boolean" },
    variables: {
      type: "object",
      maxProperties: 32,
      additionalProperties: { type: "string", maxLength: 1_000 },
    },
  },
};

/** The owner of templates: a service or the enterprise. */
type TemplateParent = Readonly<{
  path: string;
  family: string;
  of: string;
  param: "serviceId" | "enterpriseId";
  permissions: Readonly<{ read: Route["permission"]; write: Route["permission"] }>;
  scopeOf: (request: ApiRequest) => Promise<TemplateScope>;
}>;

function parentRoutes(templates: Templates, parent: TemplateParent): Route[] {
  const { path, family, of, param, permissions, scopeOf } = parent;
  const common = { family: "solution", limit: "api" } as const;
  const reading = { ...common, permission: permissions.read };
  const writing = { ...common, permission: permissions.write };
  return [
    route({
      ...reading,
      method: "GET",
      path: `${path}/templates`,
      operationId: `api.${family}.templates.list`,
      summary: `List the custom templates of ${of}`,
      params: idParams(param),
      answer: { status: 200, schema: listOf("TemplateList", templateSchema) },
      handle: async (request) => {
        const data = (await templates.list(await scopeOf(request))).map(presentTemplate);
        return ok({ total: data.length, data });
      },
    }),
    route<TemplateParams, unknown, PutBody>({
      ...writing,
      method: "PUT",
      path: `${path}/templates`,
      operationId: `api.${family}.templates.put`,
      summary: `Set the template of ${of} for a kind, channel and language`,
      params: idParams(param),
      body: putSchema,
      answer: { status: 200, schema: templateSchema },
      handle: async (request) => {
        const { subject = null, html = null, ...rest } = request.body;
        const wording = { ...rest, subject, html };
        const put = await templates.put(await scopeOf(request), wording, editorOf(request));
        return ok(presentTemplate(put));
      },
    }),
    route<TemplateParams>({
      ...writing,
      method: "DELETE",
      path: `${path}/templates/{templateId}`,
      operationId: `api.${family}.templates.delete`,
      summary: `Delete a template of ${of}; the next more general one applies again`,
      params: idParams(param, "templateId"),
      answer: { status: 204 },
      handle: async (request) => {
        const id = request.params["templateId"] ?? 0;
        await templates.remove(await scopeOf(request), id, editorOf(request));
        return noContent;
      },
    }),
    route<TemplateParams, unknown, PreviewOrder>({
      ...reading,
      method: "POST",
      path: `${path}/templates/preview`,
      operationId: `api.${family}.templates.preview`,
      summary: "Preview a message and its number of SMS segments",
      params: idParams(param),
      body: previewBody,
      answer: { status: 200, schema: previewSchema },
      handle: async (request) => {
        const rendered = await templates.preview(await scopeOf(request), request.body);
        return ok(presentPreview(request.body, rendered));
      },
    }),
  ];
}

function presentTemplate(template: Template) {
  return {
    id: template.id,
    serviceId: template.serviceId,
    kind: template.kind,
    channel: template.channel,
    language: template.language,
    subject: template.subject,
    text: template.text,
    html: template.html,
    created: toTimestamp(template.createdAt),
    modified: toTimestamp(template.modifiedAt),
  };
}

function editorOf({ caller, requestId }: ApiRequest): TemplateEditor {
  return {
    userId: caller.userId,
    login: caller.login,
    requestId,
  };
}

function presentPreview({ kind, channel, language }: PreviewOrder, rendered: Rendered) {
  const counted = channel === "sms" ? countSegments(rendered.text) : undefined;
  return {
    kind,
    channel,
    language,
    ...rendered,
    segments: counted?.segments ?? null,
    characters: counted?.characters ?? rendered.text.length,
    encoding: counted?.encoding ?? null,
  };
}
