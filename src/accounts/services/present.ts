import { toTimestamp } from "../../platform/timestamps.ts";
import type { Button, Service } from "./model.ts";

export function presentService(service: Service) {
  return {
    id: service.id,
    service_key: service.serviceKey,
    name: service.name,
    kind: service.kind,
    description: service.description,
    ticket_types: service.ticket_types,
    is_active: service.is_active,
    asks_position: service.asks_position,
    not_clicked_minutes: service.not_clicked_minutes,
    reminder_minutes: service.reminder_minutes,
    language: service.language,
    media_retention_days: service.media_retention_days,
    groups: service.groups.map(({ id, name }) => ({ id, name })),
    created: toTimestamp(service.created),
    modified: toTimestamp(service.modified),
  };
}

/** `url` is the request form of the entry point. */
export function presentButton(button: Button, baseUrl: string) {
  return {
    id: button.id,
    name: button.name,
    url: `${baseUrl}/e/${button.id}`,
    is_active: button.isActive,
    created: toTimestamp(button.created),
  };
}
