import { Button, Tabs } from "@mantine/core";
import { IconMailOff, IconPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "../../base/i18n.ts";
import { formatNumber } from "../../base/format.ts";
import { EmptyState } from "../../components/empty-state.tsx";
import { lazyDialog } from "../../components/lazy-dialog.tsx";
import { PagedTable } from "../../components/paged-table.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { useMay } from "../session.ts";
import { useSearchValues } from "../use-search.ts";
import { useColumns } from "./columns.tsx";
import { Filters } from "./filters.tsx";
import {
  isNarrowed,
  messageSearch,
  openIdOf,
  pageSize,
  type MessageSearch,
} from "./list-search.ts";
import { messagesQuery } from "./queries.ts";
import type { Message } from "./types.ts";
import type { Channel } from "../../../src/contracts/invitations.ts";

const [MessagePanel, prepareMessagePanel] = lazyDialog(
  async () => (await import("./message-detail.tsx")).MessagePanel,
  { isOpen: ({ openId }) => openId !== undefined },
);

const [SendMessage, prepareSendMessage] = lazyDialog(
  async () => (await import("./send-message.tsx")).SendMessage,
);

export function MessagesPage() {
  const { t } = useTranslation("messages");
  const [values, set] = useSearchValues();
  const search = messageSearch(values);
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
          <Filters key={channel} search={search} channel={channel} set={set} />
          <div onPointerEnter={prepareMessagePanel} onFocus={prepareMessagePanel}>
            <Messages
              {...{ search, channel, set }}
              onOpen={({ id }) =>
                void navigate({
                  search: (was) => ({ ...was, message: String(id) }),
                  resetScroll: false,
                })
              }
            />
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
}

type FoundProps = Readonly<{
  search: MessageSearch;
  channel: Channel;
  set: (change: Readonly<Record<string, string>>) => void;
  onOpen: (message: Message) => void;
}>;

function Messages({ search, channel, set, onOpen }: FoundProps) {
  const { t } = useTranslation("messages");
  const result = useQuery(messagesQuery(search));
  const columns = useColumns(channel);
  return (
    <PagedTable
      name={`messages-${channel}`}
      label={t(`channel.${channel}`)}
      columns={columns}
      query={result}
      onOpen={onOpen}
      openId={search.message}
      nothing={<Nothing search={search} />}
      words={(count) => t("list.total", { count, shown: formatNumber(count) })}
      page={search.page}
      pageSize={pageSize}
      onPage={(page) => set({ page })}
    />
  );
}

function Nothing({ search }: { search: MessageSearch }) {
  const { t } = useTranslation("messages");
  const kind = isNarrowed(search) ? "narrowed" : "none";
  return <EmptyState icon={IconMailOff} title={t(`list.${kind}`)} text={t(`list.${kind}_text`)} />;
}
