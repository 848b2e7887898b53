import { toTimestamp } from "../../platform/timestamps.ts";
import type { Domain, Enterprise, UserGroup } from "./model.ts";
import type { UsagePeriod } from "./service.ts";
import type { EnterpriseUsage } from "./store.ts";

export function presentEnterprise(enterprise: Enterprise) {
  return {
    id: enterprise.id,
    name: enterprise.name,
    apiKey: enterprise.apiKey,
    time_zone: enterprise.time_zone,
    language: enterprise.language,
    sip_phone_number: enterprise.sip_phone_number,
    sms_sender: enterprise.sms_sender,
    mail_provider: enterprise.mail_provider,
    sms_provider: enterprise.sms_provider,
    solution_enabled: enterprise.solution_enabled,
    managed_by: enterprise.managed_by,
    quotas: {
      max_users: enterprise.max_users,
      max_media_bytes: enterprise.max_media_bytes,
      max_sms_per_day: enterprise.max_sms_per_day,
    },
    retention: { payload_days: enterprise.payload_days, log_days: enterprise.log_days },
    created: toTimestamp(enterprise.created),
    modified: toTimestamp(enterprise.modified),
  };
}

export function presentStatistics(statistics: UsagePeriod & EnterpriseUsage) {
  return {
    since: toTimestamp(statistics.since),
    until: toTimestamp(statistics.until),
    users: statistics.users,
    disk_bytes: statistics.diskBytes,
    sms_sent: statistics.sms,
    sessions: statistics.sessions,
  };
}

export function presentQuota({
  enterprise,
  use,
}: {
  enterprise: Enterprise;
  use: EnterpriseUsage;
}) {
  return {
    users: { used: use.users, max: enterprise.max_users },
    media_bytes: { used: use.diskBytes, max: enterprise.max_media_bytes },
    sms_per_day: { used: use.sms, max: enterprise.max_sms_per_day },
  };
}

export function presentDomain(domain: Domain) {
  return {
    id: domain.id,
    domain: domain.domain,
    alias: domain.alias,
    created: toTimestamp(domain.created),
  };
}

export function presentGroup({ id, name, members }: UserGroup) {
  return {
    id,
    name,
    members: members.map((member) => ({ id: member.id, login: member.login })),
  };
}
