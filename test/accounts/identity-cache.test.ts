import { expect } from "chai";
import {
  createIdentityCache,
  identityTtlMs,
  type Identity,
} from "../../src/accounts/identity-cache.ts";

const hash = Buffer.from("a token");

function identityOf(userId: number, more: Partial<Identity> = {}): Identity {
  const caller: Identity["caller"] = {
    userId,
    enterpriseId: 7,
    login: "a@a.example",
    role: "agent",
    accountType: "solution",
    groupIds: [],
    token: "t",
  };
  return { caller, hasSolution: true, expiresInMs: 3_600_000, ...more };
}

/** A cache with a clock and a connection that the test sets, and a database that counts reads. */
function createWorld({ maxEntries = 100 } = {}) {
  const world = {
    nowMs: 0,
    isListening: true,
    reads: 0,
    stored: identityOf(1) as Identity | undefined,
  };
  const cache = createIdentityCache<Identity>({
    isListening: () => world.isListening,
    nowMs: () => world.nowMs,
    maxEntries,
  });
  const read = async () => {
    world.reads += 1;
    return world.stored;
  };
  return { world, cache, find: (key = hash) => cache.find(key, read) };
}

/** A read whose result arrives when the test says so. */
function heldRead(identity: Identity) {
  let answer = (): void => undefined;
  const result = new Promise<Identity>((resolve) => (answer = () => resolve(identity)));
  return { read: () => result, answer: () => answer() };
}

describe("identity cache", () => {
  it("reads once per time to live", async () => {
    const { world, find } = createWorld();
    await find();
    world.nowMs = identityTtlMs - 1;
    expect(await find()).to.equal(world.stored);
    expect(world.reads).to.equal(1);
    world.nowMs = identityTtlMs;
    await find();
    expect(world.reads).to.equal(2);
  });

  it("never outlives the credential", async () => {
    const { world, find } = createWorld();
    world.stored = identityOf(1, { expiresInMs: 100 });
    await find();
    world.nowMs = 99;
    await find();
    expect(world.reads).to.equal(1);
    world.nowMs = 100;
    world.stored = undefined;
    expect(await find()).to.equal(undefined);
  });

  it("never keeps that a credential is unknown, nor a failure", async () => {
    const { world, cache, find } = createWorld();
    world.stored = undefined;
    expect(await find()).to.equal(undefined);
    const failing = cache.find(hash, () => Promise.reject(new Error("down")));
    expect(await failing.catch((thrown: Error) => thrown.message)).to.equal("down");
    world.stored = identityOf(1);
    expect(await find()).to.equal(world.stored);
  });

  it("shares one read between concurrent calls of a credential", async () => {
    const { world, find } = createWorld();
    await Promise.all([find(), find(), find(), find(Buffer.from("another"))]);
    expect(world.reads).to.equal(2);
  });

  it("drops the user's and the enterprise's identities, and no others", async () => {
    for (const subject of ["user:1", "enterprise:7"]) {
      const { world, cache, find } = createWorld();
      await find();
      cache.forget(new Set(["user:2", "enterprise:1"]));
      await find();
      expect(world.reads).to.equal(1);
      cache.forget(new Set(["user:2", subject]));
      await find();
      expect(world.reads).to.equal(2);
    }
  });

  it("drops everything after notifications may have been lost", async () => {
    const { world, cache, find } = createWorld();
    await find();
    cache.clear();
    await find();
    expect(world.reads).to.equal(2);
  });

  it("neither keeps nor shares a read that a change overtook", async () => {
    for (const change of ["forget", "clear"] as const) {
      const { world, cache, find } = createWorld();
      const before = identityOf(1, { hasSolution: false });
      const { read, answer } = heldRead(before);
      const early = cache.find(hash, read);
      cache[change](new Set(["user:1"]));
      expect(await find()).to.equal(world.stored); // not the read of before the change
      answer();
      expect(await early).to.equal(before);
      expect(await find()).to.equal(world.stored);
      expect(world.reads).to.equal(1);
    }
  });

  it("reads on every call while notifications are not heard", async () => {
    const { world, find } = createWorld();
    await find();
    world.isListening = false;
    await Promise.all([find(), find()]);
    expect(world.reads).to.equal(3);
  });

  it("keeps the newest identities within its bound", async () => {
    const { world, find } = createWorld({ maxEntries: 2 });
    const keys = ["a", "b", "c"].map((text) => Buffer.from(text));
    for (const key of keys) {
      await find(key);
    }
    await find(keys[2]);
    await find(keys[1]);
    expect(world.reads).to.equal(3);
    await find(keys[0]);
    expect(world.reads).to.equal(4);
  });
});
