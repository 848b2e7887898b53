import { queryOptions } from "@tanstack/react-query";
import { api, call } from "../../base/api.ts";
import type { components } from "../../base/api-types.ts";
import type { Language } from "../../../src/contracts/languages.ts";
import { unchangedTextOf } from "./variables.ts";
import type { Channel } from "../../../src/contracts/invitations.ts";
import type { TemplateKind } from "../../../src/contracts/message-templates.ts";

export type Template = components["schemas"]["Template"];

export type Preview = components["schemas"]["TemplatePreview"];

/** The owner of a template: a service, or the company without `serviceId`. */
export type TemplateOwner = Readonly<{ enterpriseId: number; serviceId: number | undefined }>;

/** Identifies a template. */
export type TemplateRef = Readonly<{ kind: TemplateKind; channel: Channel; language: Language }>;

export type TemplateContents = Readonly<{
  subject: string | null;
  text: string;
  html: string | null;
}>;

export const templatesKey = ["templates"] as const;

export function ownTemplatesQuery({ enterpriseId, serviceId }: TemplateOwner) {
  return queryOptions({
    queryKey: [...templatesKey, "own", enterpriseId, serviceId ?? "company"],
    queryFn: () =>
      serviceId === undefined
        ? call(
            api.GET("/api/enterprises/{enterpriseId}/templates", {
              params: { path: { enterpriseId } },
            }),
          )
        : call(api.GET("/api/service/{serviceId}/templates", { params: { path: { serviceId } } })),
  });
}

/** Renders a template with sample values. */
export function previewQuery(owner: TemplateOwner, place: TemplateRef, contents: TemplateContents) {
  return queryOptions({
    queryKey: [...templatesKey, "preview", owner, place, contents],
    queryFn: () => preview(owner, { ...place, ...contents }),
    placeholderData: (before: Preview | undefined) => before,
    staleTime: 60_000,
  });
}

/**
 * The source of the fallback, with variables: for a service the company's template, for the company
 * the platform's.
 */
export function defaultTemplateQuery(owner: TemplateOwner, place: TemplateRef) {
  return queryOptions({
    queryKey: [...templatesKey, "usual", owner, place],
    queryFn: async (): Promise<TemplateContents> => {
      const builtIn = owner.serviceId === undefined;
      const order = { ...place, builtIn, variables: unchangedTextOf(place.kind) };
      const found = await preview({ ...owner, serviceId: undefined }, order);
      return { subject: found.subject, text: found.text.trimEnd(), html: found.html };
    },
    staleTime: 60_000,
  });
}

type Order = TemplateRef &
  Partial<TemplateContents> & { builtIn?: boolean; variables?: Record<string, string> };

function preview({ enterpriseId, serviceId }: TemplateOwner, body: Order): Promise<Preview> {
  return serviceId === undefined
    ? call(
        api.POST("/api/enterprises/{enterpriseId}/templates/preview", {
          params: { path: { enterpriseId } },
          body,
        }),
      )
    : call(
        api.POST("/api/service/{serviceId}/templates/preview", {
          params: { path: { serviceId } },
          body,
        }),
      );
}

export function putTemplate(
  { enterpriseId, serviceId }: TemplateOwner,
  place: TemplateRef,
  contents: TemplateContents,
): Promise<Template> {
  const body = bodyOf(place, contents);
  return serviceId === undefined
    ? call(
        api.PUT("/api/enterprises/{enterpriseId}/templates", {
          params: { path: { enterpriseId } },
          body,
        }),
      )
    : call(
        api.PUT("/api/service/{serviceId}/templates", { params: { path: { serviceId } }, body }),
      );
}

function bodyOf(place: TemplateRef, { subject, text, html }: TemplateContents) {
  return place.channel === "sms" ? { ...place, text } : { ...place, subject, text, html };
}

export function deleteTemplate(
  { enterpriseId, serviceId }: TemplateOwner,
  templateId: number,
): Promise<unknown> {
  return serviceId === undefined
    ? call(
        api.DELETE("/api/enterprises/{enterpriseId}/templates/{templateId}", {
          params: { path: { enterpriseId, templateId } },
        }),
      )
    : call(
        api.DELETE("/api/service/{serviceId}/templates/{templateId}", {
          params: { path: { serviceId, templateId } },
        }),
      );
}
