import { Ajv } from "ajv";
import { expect } from "chai";
import {
  type ConfigError,
  loadConfig,
  loadProcessConfig,
  settingsSchema,
} from "../../src/config/config.ts";

function faultsOf(environment: Record<string, string>, load = loadConfig): readonly string[] {
  try {
    load(environment);
    return [];
  } catch (thrown) {
    return (thrown as ConfigError).faults;
  }
}

describe("configuration", () => {
  it("has a valid schema", () => {
    const ajv = new Ajv();
    expect(ajv.validateSchema(settingsSchema), ajv.errorsText()).to.equal(true);
  });

  it("accepts the deprecated provider `outbox` as `dev`, with a warning", () => {
    const { mail, sms, warnings } = loadConfig({ MAIL_PROVIDER: "outbox", SMS_PROVIDER: "outbox" });
    expect([mail.provider, sms.provider]).to.deep.equal(["dev", "dev"]);
    expect(warnings).to.deep.equal([
      "MAIL_PROVIDER=outbox is deprecated: use MAIL_PROVIDER=dev",
      "SMS_PROVIDER=outbox is deprecated: use SMS_PROVIDER=dev",
    ]);
  });

  it("has no warnings by default", () => {
    expect(loadConfig({}).warnings).to.deep.equal([]);
  });

  it("uses the public LiveKit address for its API by default", () => {
    const keys = { LIVEKIT_API_KEY: "key", LIVEKIT_API_SECRET: "secret" };
    const url = "wss://livekit.example.com";
    expect(loadConfig({}).livekit).to.equal(undefined);
    expect(loadConfig({ ...keys, LIVEKIT_URL: `${url}/` }).livekit).to.deep.equal({
      url,
      apiUrl: "https://livekit.example.com",
      apiKey: "key",
      apiSecret: "secret",
    });
    const inside = { LIVEKIT_API_URL: "http://livekit.internal:7880" };
    expect(loadConfig({ ...keys, ...inside, LIVEKIT_URL: url }).livekit?.apiUrl).to.equal(
      "http://livekit.internal:7880",
    );
  });

  it("requires all settings of LiveKit together", () => {
    expect(faultsOf({ LIVEKIT_URL: "ws://127.0.0.1:7880" })).to.deep.equal([
      "LIVEKIT_API_KEY is required with LIVEKIT_URL=ws://127.0.0.1:7880",
      "LIVEKIT_API_SECRET is required with LIVEKIT_URL=ws://127.0.0.1:7880",
    ]);
    expect(faultsOf({ LIVEKIT_API_SECRET: "secret" })).to.deep.equal([
      "LIVEKIT_URL is required with LIVEKIT_API_SECRET",
    ]);
  });

  it("refuses a begin of the replacement that is no time", () => {
    const began = "2026-11-30T23:59:59.999Z";
    expect(loadConfig({ REPLACEMENT_BEGAN_AT: began }).replacementBeganAt).to.deep.equal(
      new Date(began),
    );
    for (const text of [
      ...["2026-13-01T00:00:00Z", "2026-01-32T00:00:00Z", "2026-00-01T00:00:00Z"],
      ...["2026-01-01T25:00:00Z", "2026-01-01T00:60:00Z", "2026-01-01T00:00:60Z"],
    ]) {
      expect(faultsOf({ REPLACEMENT_BEGAN_AT: text }), text).to.have.length(1);
    }
  });

  it("accepts one Redis, even with a comma in its password, or the nodes of a cluster", () => {
    expect(loadConfig({}).redis).to.equal(undefined);
    const one = "redis://:a,b@redis.internal:6379/2";
    expect(loadConfig({ REDIS_URL: one }).redis).to.deep.equal({ kind: "redis", url: one });
    const nodes = ["rediss://:a,b@one.internal:6379", "rediss://two.internal"];
    const cluster = { REDIS_URL: nodes.join(", "), REDIS_CLUSTER: "yes" };
    expect(loadConfig(cluster).redis).to.deep.equal({ kind: "redis-cluster", urls: nodes });
  });

  it("refuses a cluster that is not declared, has no nodes, or has another database", () => {
    expect(faultsOf({ REDIS_URL: "redis://one,redis://two" })).to.deep.equal([
      "REDIS_URL names several servers: set REDIS_CLUSTER=1",
    ]);
    expect(faultsOf({ REDIS_CLUSTER: "1" })).to.deep.equal([
      "REDIS_URL is required with REDIS_CLUSTER=true",
    ]);
    const REDIS_URL = "redis://one,redis://two/3,redis://";
    expect(faultsOf({ REDIS_URL, REDIS_CLUSTER: "1" })).to.deep.equal([
      "REDIS_URL: a Redis Cluster has the database 0 only",
      "REDIS_URL has a part that is not a URL such as redis://host:6379",
    ]);
  });

  it("requires a BASE_URL with PORT=0, except where the port is chosen before links are made", () => {
    const env = { DATABASE_URL: "postgres://db", SECRET_KEY: "k".repeat(43), PORT: "0" };
    expect(faultsOf(env, loadProcessConfig)).to.deep.equal(["BASE_URL is required with PORT=0"]);
    const BASE_URL = "https://demo.example";
    expect(faultsOf({ ...env, BASE_URL }, loadProcessConfig)).to.deep.equal([]);
    expect(faultsOf({ ...env, PORT: "3000" }, loadProcessConfig)).to.deep.equal([]);
    expect(faultsOf({ PORT: "0" })).to.deep.equal([]);
  });
});
