import { secretsAad, type SigningSecret } from "../contracts/subscriptions.ts";
import { inTransaction, type Db, type Trx, type Queryable } from "../platform/db/pool.ts";
import type { Ids } from "../platform/ids.ts";
import type { Logger } from "../platform/logger.ts";
import type { SecretBox } from "../platform/secret-box.ts";
import { changesOf, creationOf, entryOf, type Actor, type Audit } from "./audit.ts";
import {
  addSubscription,
  changeSubscription,
  openSubscription,
  removeSubscription,
  type Author,
} from "./changes.ts";
import { headersAt, headersToStore } from "./custom-headers.ts";
import { findInboxSubscriptions, settleInbox, type InboxPlace } from "./inbox-key.ts";
import {
  applyInput,
  checkFilters,
  defaultSettings,
  type Subscription,
  type SubscriptionInput,
} from "./model.ts";
import { urlToStore, type CheckUrl } from "./receiver-url.ts";
import { checkSecret, newSecret } from "./signing-secret.ts";
import { requireSubscription } from "./require.ts";
import { findUrl, listSubscriptions } from "./store.ts";

export type WebhookDeps = {
  db: Db;
  secretBox: SecretBox;
  ids: Pick<Ids, "bytes">;
  log: Pick<Logger, "info">;
  checkUrl: CheckUrl;
  inbox: InboxPlace;
  audit: Audit;
  /** Called after the commit of a change: wakes relay and schedule. Only haste, never needed. */
  onChanged: () => void;
};

/** Use cases of subscriptions. Everything is bound to the author's enterprise: else 404. */
export type WebhookService = {
  list(author: Author): Promise<Subscription[]>;
  get(author: Author, id: number): Promise<Subscription>;
  /** The answer holds the secret, for the only time. */
  create(
    author: Actor,
    input: SubscriptionInput & { secret?: string },
  ): Promise<{ subscription: Subscription; secret: string }>;
  update(author: Actor, id: number, input: SubscriptionInput): Promise<Subscription>;
  remove(author: Actor, id: number): Promise<void>;
  /**
   * The secrets that sign what arrives in an inbox; undefined for a key that no subscription with a
   * URL of this platform's inbox has. Not bound to an enterprise: who knows the key may read the inbox.
   */
  findInboxSecrets(key: string): Promise<string[] | undefined>;
};

const readInboxSecrets =
  ({ db, secretBox, inbox }: WebhookDeps) =>
  async (key: string): Promise<string[] | undefined> => {
    const found = await findInboxSubscriptions(db, inbox, key);
    const secrets = found.flatMap(({ enterpriseId, id, secretSealed }) => {
      const opened = secretBox.open(secretSealed, secretsAad(enterpriseId, id));
      return JSON.parse(opened) as SigningSecret[];
    });
    return found.length === 0 ? undefined : secrets.map(({ secret }) => secret);
  };

export const createWebhookService = (deps: WebhookDeps): WebhookService => {
  const { db, secretBox, checkUrl, inbox } = deps;

  const read = async (on: Queryable, enterpriseId: number, id: number): Promise<Subscription> => {
    return openSubscription(secretBox, await requireSubscription(on, enterpriseId, id));
  };
  const get: WebhookService["get"] = ({ enterpriseId }, id) => read(db, enterpriseId, id);

  const changed = ({ enterpriseId, userId }: Author, id: number, change: string): void => {
    deps.log.info({ enterpriseId, userId, subscriptionId: id, change }, "subscription.changed");
    deps.onChanged();
  };

  return {
    get,
    list: async ({ enterpriseId }) =>
      (await listSubscriptions(db, enterpriseId)).map((one) => openSubscription(secretBox, one)),
    create: async (author, input) => {
      checkFilters(input.filters ?? []);
      const secret =
        input.secret === undefined ? newSecret(deps.ids.bytes) : checkSecret(input.secret);
      const headers = headersToStore(input.headers ?? [], []);
      const url = await checkedUrl(checkUrl, input.url ?? null);
      const settings = applyInput(defaultSettings, input, { url, headers });
      const { enterpriseId } = author;
      // Read before the commit, as everything that the answer needs: after it, nothing may fail.
      const subscription = await inTransaction(db, async (trx) => {
        const added = await addSubscription(trx, secretBox, author, { settings, secret });
        await settleInbox(trx, inbox, { enterpriseId, before: null, after: url });
        const changes = creationOf(settings);
        await deps.audit.write(trx, entryOf(author, added, { action: "create", changes }));
        return read(trx, enterpriseId, added);
      });
      changed(author, subscription.id, "create");
      return { subscription, secret };
    },
    update: async (author, id, input) => {
      checkFilters(input.filters ?? []);
      const url = await changedUrl(checkUrl, await get(author, id), input);
      const subscription = await inTransaction(db, async (trx) => {
        await updateIn(trx, deps, { author, id }, { input, url });
        return read(trx, author.enterpriseId, id);
      });
      changed(author, id, "update");
      return subscription;
    },
    remove: async (author, id) => {
      await inTransaction(db, async (trx) => {
        await removeSubscription(trx, author, id);
        const change = { before: await findUrl(trx, id), after: null };
        await settleInbox(trx, inbox, { enterpriseId: author.enterpriseId, ...change });
        await deps.audit.write(trx, entryOf(author, id, { action: "delete", changes: {} }));
      });
      changed(author, id, "delete");
    },
    findInboxSecrets: readInboxSecrets(deps),
  };
};

/** `url` is the input's in the form to store, undefined to keep the present one. */
const updateIn = async (
  trx: Trx,
  { secretBox, inbox, audit }: WebhookDeps,
  { author, id }: { author: Actor; id: number },
  { input, url: given }: { input: SubscriptionInput; url: string | null | undefined },
): Promise<void> => {
  const urls = { before: null as string | null, after: null as string | null };
  let changes: ReturnType<typeof changesOf> = {};
  await changeSubscription(trx, secretBox, { author, id }, (before) => {
    const url = given === undefined ? before.url : given;
    urls.before = before.url;
    urls.after = url;
    const headers = headersAt(url, input.headers, before);
    const after = applyInput(before, input, { url, headers });
    changes = changesOf(before, after);
    return after;
  });
  await settleInbox(trx, inbox, { enterpriseId: author.enterpriseId, ...urls });
  await audit.write(trx, entryOf(author, id, { action: "update", changes }));
};

const checkedUrl = async (checkUrl: CheckUrl, url: string | null): Promise<string | null> =>
  url === null ? null : urlToStore(url, checkUrl);

/** The URL to store, undefined for none given. A stored one is checked again when switched on. */
const changedUrl = async (
  checkUrl: CheckUrl,
  seen: Subscription,
  input: SubscriptionInput,
): Promise<string | null | undefined> => {
  if (input.url !== undefined) {
    return checkedUrl(checkUrl, input.url);
  }
  if (input.active === true && !seen.isActive) {
    await checkedUrl(checkUrl, seen.url);
  }
  return undefined;
};
