import { Button, Tabs } from "@mantine/core";
import { IconMailOff, IconPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "../../base/i18n.ts";
import { formatNumber } from "../../base/format.ts";
import { pageOf } from "../../base/paging.ts";
import { DataTable } from "../../components/data-table.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { ErrorBox } from "../../components/error-box.tsx";
import { later } from "../../components/later.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { Pager } from "../../components/pager.tsx";
import { useMay } from "../session.ts";
import { useColumns } from "./columns.tsx";
import { Filters } from "./filters.tsx";
import { isNarrowed, openIdOf, pageSize, type MessageSearch } from "./list-search.ts";
import { messagesQuery } from "./queries.ts";
import type { Channel } from "./types.ts";

const [MessagePanel, prepareMessagePanel] = later(
  async () => (await import("./message-detail.tsx")).MessagePanel,
  { isOpen: ({ openId }) => openId !== undefined },
);

const [SendMessage, prepareSendMessage] = later(
  async () => (await import("./send-message.tsx")).SendMessage,
);

const Messages = ({ search, channel }: { search: MessageSearch; channel: Channel }) => {
  const { t } = useTranslation("messages");
  const navigate = useNavigate({ from: "/messages" });
  const { data, error, refetch } = useQuery(messagesQuery(search));
  const columns = useColumns(channel);
  if (error !== null && data === undefined) {
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
      {data === undefined ? null : (
        <Pager
          size="xs"
          words={(count) => t("list.total", { count, shown: formatNumber(count) })}
          total={data.total}
          page={pageOf(search.page)}
          pageSize={pageSize}
          onPage={(page) => void navigate({ search: (was) => ({ ...was, page: String(page) }) })}
        />
      )}
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
              onPointerEnter={prepareSendMessage}
              onFocus={prepareSendMessage}
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
          <div onPointerEnter={prepareMessagePanel} onFocus={prepareMessagePanel}>
            <Messages search={search} channel={channel} />
          </div>
        </Tabs.Panel>
      </Tabs>
      <MessagePanel
        channel={channel}
        openId={openId}
        onClose={() =>
          void navigate({
            search: (was) => ({ ...was, message: undefined }),
            resetScroll: false,
          })
        }
      />
      {isWriting ? <SendMessage channel={channel} onClose={() => setWriting(false)} /> : null}
    </>
  );
};
