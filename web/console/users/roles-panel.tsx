import { Stack, Text } from "@mantine/core";
import { Fragment } from "react";
import { useTranslation } from "../../base/i18n.ts";
import {
  grantsOfRole,
  roles,
  type Permission,
  type Role,
} from "../../../src/contracts/permissions.ts";
import { SidePanel } from "../../components/side-panel.tsx";
import classes from "./users.module.css";

/** The text key of each permission, by area. */
const areas = {
  tickets: {
    "tickets.read": "tickets_read",
    "tickets.write": "tickets_write",
    "tickets.take": "tickets_take",
    "tickets.assign": "tickets_assign",
    "tickets.transfer": "tickets_transfer",
    "tickets.events.read": "tickets_events",
    "media.read": "media_read",
    "media.write": "media_write",
    "media.delete": "media_delete",
    "stats.read": "stats_read",
  },
  meetings: {
    "conferences.read": "meetings_read",
    "conferences.write": "meetings_write",
    "conversations.read": "conversations_read",
    "conversations.write": "conversations_write",
    "rooms.watch": "rooms_watch",
  },
  programs: {
    "webhooks.read": "webhooks_read",
    "webhooks.write": "webhooks_write",
    "messages.read": "messages_read",
    "messages.send": "messages_send",
    "hl7.read": "hl7_read",
    "hl7.write": "hl7_write",
    "sip.read": "sip_read",
  },
  settings: {
    "users.read": "users_read",
    "users.write": "users_write",
    "services.read": "services_read",
    "services.write": "services_write",
    "enterprises.read": "company_read",
    "enterprises.write": "company_write",
    "audit.read": "audit_read",
  },
  platform: {
    "enterprises.create": "enterprises_create",
    "platform.read": "platform_read",
  },
} as const;

type Area = keyof typeof areas;

type RolesPanelProps = Readonly<{ isOpen: boolean; onClose: () => void }>;

/** Permissions by role, from the rules that the API enforces. */
export function RolesPanel({ isOpen, onClose }: RolesPanelProps) {
  const { t } = useTranslation("users");
  return (
    <SidePanel isOpen={isOpen} onClose={onClose} title={t("roles.title")}>
      <Stack gap="md">
        <Text size="sm" c="dimmed">
          {t("roles.note")}
        </Text>
        <RolesTable />
      </Stack>
    </SidePanel>
  );
}

/** Does not compile if a permission is missing. */
const words = {
  ...areas.tickets,
  ...areas.meetings,
  ...areas.programs,
  ...areas.settings,
  ...areas.platform,
} satisfies Record<Permission, string>;

function RolesTable() {
  const { t } = useTranslation("users");
  return (
    <div
      className={classes["roles"]}
      role="region"
      aria-label={t("roles.title")}
      tabIndex={0}
      data-scrolls
    >
      <table>
        <thead>
          <tr>
            <th scope="col">{t("roles.may")}</th>
            {roles.map((role) => (
              <th key={role} scope="col">
                {t(`role.${role}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {(Object.keys(areas) as Area[]).map((area) => (
            <Fragment key={area}>
              <tr className={classes["area"]}>
                <th scope="colgroup" colSpan={roles.length + 1}>
                  {t(`area.${area}`)}
                </th>
              </tr>
              {permissionsOf(area).map((permission) => (
                <tr key={permission}>
                  <th scope="row">{t(`may.${words[permission]}`)}</th>
                  <Reaches permission={permission} />
                </tr>
              ))}
            </Fragment>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function permissionsOf(area: Area): Permission[] {
  return Object.keys(areas[area]) as Permission[];
}

function Reaches({ permission }: { permission: Permission }) {
  const { t } = useTranslation("users");
  return roles.map((role: Role) => {
    const reach = grantsOfRole[role][permission];
    return (
      <td key={role} className={reach === undefined ? classes["no"] : undefined}>
        {reach === undefined ? (
          <>
            <span aria-hidden>–</span>
            <span className="only-heard">{t("reach.no")}</span>
          </>
        ) : (
          t(`reach.${reach}`)
        )}
      </td>
    );
  });
}
