import { expect } from "chai";
import { createNotifier, startListener } from "../../../src/platform/db/notify.ts";
import { connectionOptions, type Db } from "../../../src/platform/db/pool.ts";
import { createLogger } from "../../../src/platform/logger.ts";
import { useDatabase } from "../../support/database.ts";
import { eventually } from "../../support/eventually.ts";

describe("wake-ups", () => {
  const database = useDatabase();
  const log = createLogger("fatal", "test");

  /** The pool, whose first statement waits until it is told to go. */
  const slowDb = () => {
    let go = (): void => {};
    let asked = 0;
    const gate = new Promise<void>((resolve) => (go = resolve));
    const raw = async (sql: string, bindings: never[]) => {
      asked += 1;
      await (asked === 1 ? gate : undefined);
      return database.db.raw(sql, bindings);
    };
    return { db: { raw } as unknown as Db, go: () => go(), asked: () => asked };
  };

  it("of one topic arrive in the order in which they were sent, each word once", async () => {
    const { db, go, asked } = slowDb();
    const heard: string[] = [];
    const options = connectionOptions({ url: database.url, maxConnections: 1, name: "test" });
    const listener = startListener(options, log);
    let isListening = false;
    listener.on("signalling", (words) => {
      isListening = true;
      heard.push(...words);
    });
    await eventually(() => isListening);
    const notifier = createNotifier(db, log);
    notifier.wake("signalling", "chat:1:10");
    await eventually(() => asked() === 1);
    notifier.wake("signalling", "chat:1:11");
    notifier.wake("signalling", "chat:1:11");
    notifier.wake("outbox");
    await eventually(() => asked() === 2); // of another topic, which waits for nobody
    go();
    await eventually(() => heard.length >= 2);
    expect(heard).to.deep.equal(["chat:1:10", "chat:1:11"]);
    await listener.close();
  });
});
