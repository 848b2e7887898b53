import { Button } from "@mantine/core";
import { IconKey } from "@tabler/icons-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { useTranslation } from "../../../base/i18n.ts";
import { api, call } from "../../../base/api.ts";
import { Confirm } from "../../../components/confirm.tsx";
import { DataTable, type Column } from "../../../components/data-table.tsx";
import { EmptyState } from "../../../components/empty-state.tsx";
import { ErrorBox } from "../../../components/error-box.tsx";
import { RelativeTime } from "../../../components/relative-time.tsx";
import { Section } from "../../../components/section.tsx";
import { useSession } from "../../session.ts";
import { everyToken, type Token } from "./every-token.ts";

export function OwnTokens() {
  const { t } = useTranslation("settings");
  return (
    <List
      name="own"
      title={t("tokens.own")}
      hasOwner={false}
      load={async () => (await call(api.GET("/api/users/me/api-tokens"))).data}
      revoke={(tokenId) =>
        call(api.DELETE("/api/users/me/api-tokens/{tokenId}", { params: { path: { tokenId } } }))
      }
    />
  );
}

/** The tokens of all users, for administrators. */
export function EnterpriseTokens() {
  const { t } = useTranslation("settings");
  const { enterprise } = useSession();
  const enterpriseId = enterprise.id;
  return (
    <List
      name="all"
      title={t("tokens.all")}
      hasOwner
      load={() => everyToken(enterpriseId)}
      revoke={(tokenId) =>
        call(
          api.DELETE("/api/enterprises/{enterpriseId}/api-tokens/{tokenId}", {
            params: { path: { enterpriseId, tokenId } },
          }),
        )
      }
    />
  );
}

type ListProps = Readonly<{
  name: string;
  title: string;
  hasOwner: boolean;
  load: () => Promise<readonly Token[]>;
  revoke: (tokenId: number) => Promise<unknown>;
}>;

function List({ name, title, hasOwner, load, revoke }: ListProps) {
  const { t } = useTranslation("settings");
  const queries = useQueryClient();
  const { data, error, refetch } = useQuery({
    queryKey: ["settings", "tokens", name],
    queryFn: load,
  });
  const [leaving, setLeaving] = useState<Token>();
  const columns = useColumns(setLeaving, hasOwner);
  return (
    <Section title={title}>
      {error === null ? null : <ErrorBox error={error} onRetry={() => void refetch()} />}
      {data?.length === 0 ? (
        <EmptyState icon={IconKey} title={t("tokens.none")} text={t("tokens.none_note")} />
      ) : (
        <DataTable
          name={`tokens-${name}`}
          label={title}
          columns={columns}
          rows={data}
          rowId={({ id }) => String(id)}
        />
      )}
      <Confirm
        isOpen={leaving !== undefined}
        onClose={() => setLeaving(undefined)}
        title={t("tokens.revoke_what", { name: leaving?.name ?? "" })}
        action={t("tokens.revoke")}
        isDangerous
        onConfirm={async () => {
          await revoke(leaving?.id ?? 0);
          await queries.invalidateQueries({ queryKey: ["settings", "tokens"] });
        }}
      >
        {t("tokens.revoke_note")}
      </Confirm>
    </Section>
  );
}

function useColumns(onRevoke: (token: Token) => void, hasOwner: boolean): Column<Token>[] {
  const { t } = useTranslation("settings");
  return useMemo(
    () => [
      { id: "name", header: t("tokens.name"), isFixed: true, cell: ({ name }) => name },
      ...(hasOwner
        ? [{ id: "user", header: t("tokens.user"), cell: (row: Token) => row.user.login }]
        : []),
      {
        id: "used",
        header: t("tokens.used"),
        cell: (token) =>
          token.last_used_at === null ? (
            t("tokens.never")
          ) : (
            <RelativeTime at={token.last_used_at} />
          ),
      },
      {
        id: "expires",
        header: t("tokens.expires"),
        cell: (token) => <RelativeTime at={token.expires_at} />,
      },
      {
        id: "created",
        header: t("tokens.created"),
        isMinor: true,
        cell: (token) => <RelativeTime at={token.created} />,
      },
      {
        id: "actions",
        header: "",
        isFixed: true,
        cell: (token) => (
          <Button
            size="compact-xs"
            variant="subtle"
            color="red"
            onClick={() => onRevoke(token)}
            aria-label={t("tokens.revoke_what", { name: token.name })}
          >
            {t("tokens.revoke")}
          </Button>
        ),
      },
    ],
    [t, onRevoke, hasOwner],
  );
}
