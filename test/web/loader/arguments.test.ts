import { expect } from "chai";
import { checkArguments } from "../../../web/loader/arguments.ts";

const user = { id: 7, token: "t", nickname: "Ann" };
const input = {
  serverDomainRoot: "https://video.example.com/",
  apiCCkey: "key",
  userInfos: user,
  agentAppCallback: undefined,
  useFrame: undefined,
  agentParams: undefined,
};
const host = { protocol: "https:", languages: ["de-DE", "fr-CA"] };
function check(more: object, page = host) {
  return checkArguments({ ...input, ...more }, page);
}

describe("the arguments of loadAgent", () => {
  it("have defaults for optional ones", () => {
    expect(check({})).to.deep.equal({
      root: "https://video.example.com",
      apiKey: "key",
      userId: 7,
      userInfos: user,
      callback: undefined,
      usesFrame: false,
      hasDirectory: false,
      isDirectoryOpen: false,
      template: "default",
      hasTheme: true,
      language: "fr",
      locale: "fr-CA",
      warnings: [],
    });
  });

  it("accept a URL without a scheme (https except on localhost), and a number as a string", () => {
    const root = (text: string, protocol = "https:") =>
      check({ serverDomainRoot: text }, { ...host, protocol }).root;
    expect(root("//video.example.com/")).to.equal("https://video.example.com");
    for (const local of ["localhost:8080", "demo.localhost:8080", "127.0.0.1:3000", "[::1]:3000"]) {
      expect(root(`//${local}`, "http:")).to.equal(`http://${local}`);
      expect(root(`//${local}`)).to.equal(`https://${local}`);
    }
    for (const away of ["video.example.com", "localhost.example.com", "127.example.com"]) {
      expect(root(`//${away}/`, "http:")).to.equal(`https://${away}`);
    }
    expect(root("http://video.example.com", "http:")).to.equal("http://video.example.com");
    expect(root("//video.example.com", "file:")).to.equal("https://video.example.com");
    expect(root(" https://video.example.com/any/path ")).to.equal("https://video.example.com");
    expect(check({ userInfos: { ...user, id: "12" } }).userId).to.equal(12);
  });

  it("throw a TypeError that names a missing or invalid one", () => {
    const refused: [more: object, message: string][] = [
      [{ serverDomainRoot: undefined }, "serverDomainRoot is required"],
      [{ serverDomainRoot: "video" }, "serverDomainRoot must be an address"],
      [{ serverDomainRoot: "javascript:alert(1)" }, "serverDomainRoot must be an address"],
      [{ apiCCkey: "" }, "apiCCkey is required"],
      [{ userInfos: null }, "userInfos is required"],
      [{ userInfos: { ...user, id: 0 } }, "userInfos.id is required"],
      [{ userInfos: { ...user, token: undefined } }, "userInfos.token is required"],
      [{ userInfos: { ...user, nickname: 1 } }, "userInfos.nickname is required"],
      [{ agentAppCallback: {} }, "agentAppCallback must be a function"],
    ];
    for (const [more, message] of refused) {
      expect(() => check(more), message).to.throw(TypeError, `loadAgent: ${message}`);
    }
  });

  it("warn about unsupported options, and continue", () => {
    const { warnings, template, hasDirectory, language } = check({
      agentParams: { template: "<div>", directory: "yes", culture: "xx" },
    });
    expect([template, hasDirectory, language]).to.deep.equal(["default", false, "fr"]);
    expect(warnings).to.have.length(2);
    expect(check({ agentParams: { culture: "en-GB" } }).locale).to.equal("en-GB");
    // Without a region: the browser's region is used if the language is the same.
    expect(check({ agentParams: { culture: "fr" } }).locale).to.equal("fr-CA");
    expect(check({ agentParams: { culture: "en" } }).locale).to.equal("en");
  });
});
