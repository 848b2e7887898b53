import { Button, Group, Pagination, Tabs, Text } from "@mantine/core";
import { IconMailOff, IconPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { formatNumber } from "../../base/format.ts";
import { DataTable } from "../../components/data-table.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { ErrorBox } from "../../components/error-box.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { SidePanel } from "../../components/side-panel.tsx";
import { useMay } from "../session.ts";
import { useColumns } from "./columns.tsx";
import { Filters } from "./filters.tsx";
import { isNarrowed, openIdOf, pageOf, pageSize, type MessageSearch } from "./list-search.ts";
import { MessageDetail } from "./message-detail.tsx";
import { messagesQuery } from "./queries.ts";
import { SendMessage } from "./send-message.tsx";
import type { Channel } from "./types.ts";

const Pages = ({ total, search }: { total: number; search: MessageSearch }) => {
  const { t } = useTranslation("messages");
  const navigate = useNavigate({ from: "/messages" });
  const pages = Math.ceil(total / pageSize);
  return (
    <Group justify="space-between" mt="sm" gap="xs">
      <Text size="xs" c="dimmed">
        {t("list.total", { count: total, shown: formatNumber(total) })}
      </Text>
      {pages > 1 ? (
        <Pagination
          total={pages}
          value={pageOf(search)}
          onChange={(page) => void navigate({ search: (was) => ({ ...was, page: String(page) }) })}
          size="sm"
          getControlProps={(control) => ({ "aria-label": t(`list.page_${control}`) })}
          getItemProps={(page) => ({ "aria-label": t("list.page", { page }) })}
        />
      ) : null}
    </Group>
  );
};

const Messages = ({ search, channel }: { search: MessageSearch; channel: Channel }) => {
  const { t } = useTranslation("messages");
  const navigate = useNavigate({ from: "/messages" });
  const { data, error, refetch } = useQuery(messagesQuery(search));
  const columns = useColumns(channel);
  if (error !== null) {
    return <ErrorBox error={error} onRetry={() => void refetch()} />;
  }
  if (data?.total === 0) {
    const kind = isNarrowed(search) ? "narrowed" : "none";
    return (
      <EmptyState icon={IconMailOff} title={t(`list.${kind}`)} text={t(`list.${kind}_text`)} />
    );
  }
  return (
    <>
      <DataTable
        name={`messages-${channel}`}
        label={t(`channel.${channel}`)}
        columns={columns}
        rows={data?.data}
        rowId={({ id }) => String(id)}
        onOpen={({ id }) =>
          void navigate({
            search: (was) => ({ ...was, message: String(id) }),
            resetScroll: false,
          })
        }
        openId={search.message}
      />
      {data === undefined ? null : <Pages total={data.total} search={search} />}
    </>
  );
};

export const MessagesPage = () => {
  const { t } = useTranslation("messages");
  const search = useSearch({ from: "/signed-in/messages" });
  const navigate = useNavigate({ from: "/messages" });
  const [isWriting, setWriting] = useState(false);
  const maySend = useMay("messages.send");
  const { channel = "sms" } = search;
  const openId = openIdOf(search);
  return (
    <>
      <PageHeader
        title={t("list.title")}
        note={t("list.note")}
        actions={
          maySend ? (
            <Button
              leftSection={<IconPlus size={16} aria-hidden />}
              onClick={() => setWriting(true)}
            >
              {t(`send.open.${channel}`)}
            </Button>
          ) : undefined
        }
      />
      <Tabs
        value={channel}
        onChange={(next) =>
          void navigate({ search: { channel: next === "email" ? "email" : undefined } })
        }
        mb="md"
      >
        <Tabs.List>
          <Tabs.Tab value="sms">{t("channel.sms")}</Tabs.Tab>
          <Tabs.Tab value="email">{t("channel.email")}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value={channel} pt="md">
          <Filters key={channel} search={search} channel={channel} />
          <Messages search={search} channel={channel} />
        </Tabs.Panel>
      </Tabs>
      <SidePanel
        isOpen={openId !== undefined}
        title={t(`detail.${channel}`)}
        onClose={() =>
          void navigate({
            search: (was) => ({ ...was, message: undefined }),
            resetScroll: false,
          })
        }
      >
        {openId === undefined ? null : <MessageDetail channel={channel} messageId={openId} />}
      </SidePanel>
      {isWriting ? <SendMessage channel={channel} onClose={() => setWriting(false)} /> : null}
    </>
  );
};
