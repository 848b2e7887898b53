import { expect } from "chai";
import { isKept, preselect, type Service } from "../../../web/quick-invitation/services.ts";

function aService(id: number): Service {
  return {
    id,
    service_key: `key${id}`,
    name: `Service ${id}`,
    kind: "ticket",
  };
}
const [one, two] = [aService(1), aService(2)];

describe("the preselected service of the form", () => {
  it("is that of the address, before the last used one", () => {
    expect(preselect([one, two], { serviceKey: "key2", lastUsed: "key1" })).to.deep.equal({
      service: two,
      isUnknown: false,
    });
  });

  it("is empty if the address names an unknown one", () => {
    for (const services of [[one, two], [one], []]) {
      expect(preselect(services, { serviceKey: "other", lastUsed: "key1" })).to.deep.equal({
        service: undefined,
        isUnknown: true,
      });
    }
  });

  it("is the last used one, or the only one, or empty", () => {
    const serviceKey = undefined;
    expect(preselect([one, two], { serviceKey, lastUsed: "key1" }).service).to.equal(one);
    expect(preselect([one, two], { serviceKey, lastUsed: "gone" }).service).to.equal(undefined);
    expect(preselect([one, two], { serviceKey, lastUsed: null }).service).to.equal(undefined);
    expect(preselect([two], { serviceKey, lastUsed: null }).service).to.equal(two);
  });

  it("is locked by serviceKey only if the service exists", () => {
    for (const [service, isUnknown, isReadOnly, expected] of [
      [one, false, true, true],
      [undefined, true, true, false],
      [undefined, false, true, false],
      [one, false, false, false],
    ] as const) {
      expect(isKept({ service, isUnknown }, isReadOnly)).to.equal(expected);
    }
  });
});
