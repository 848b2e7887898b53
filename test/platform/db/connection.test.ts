import { expect } from "chai";
import { connectionOptions } from "../../../src/platform/db/connection.ts";

describe("the options of a connection", () => {
  const nameless = (url: string) => connectionOptions({ url, name: "test" }).connectionString;

  it("leave out a name in the URL", () => {
    const url = "postgres://sightline:secret@db.example/sightline";
    expect(nameless(`${url}?application_name=mine&sslmode=require`)).to.equal(
      `${url}?sslmode=require`,
    );
  });

  it("pass on a URL that cannot be parsed, because an error here would contain its password", () => {
    const url = "postgres://sightline:pass/word@db.example/sightline?application_name=mine";
    expect(nameless(url)).to.equal(url);
  });
});
