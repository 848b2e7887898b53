import { readFile } from "node:fs/promises";
import { request as send } from "node:http";
import { expect } from "chai";
import { cleanFilename } from "../../src/http/multipart.ts";
import { created, route } from "../../src/http/route.ts";
import { startApi, type TestApi } from "../support/api.ts";
import { eventually } from "../support/eventually.ts";
import { useTemporaryFolder } from "../support/temporary-folder.ts";

const maxBodyBytes = 300_000;

describe("multipart forms", () => {
  const temporaryFiles = useTemporaryFolder();
  let api: TestApi;
  let seen: string[] = [];
  const shape = {
    method: "POST",
    path: "/tickets/{ticketId}/medias",
    operationId: "upload",
    summary: "x",
    permission: "authenticated",
    family: "solution",
    limit: "api",
    transport: "multipart",
    maxBodyBytes,
    params: { type: "object", properties: { ticketId: { type: "integer" } } },
    body: {
      type: "object",
      properties: { title: { type: "string" }, lat: { type: "number" }, hd: { type: "boolean" } },
    },
    answer: { status: 201, schema: { type: "object" } },
  } as const;
  before(async () => {
    api = await startApi({
      routes: [
        route({
          ...shape,
          handle: async ({ upload, body, params }) => {
            seen = await temporaryFiles();
            const bytes = await readFile(upload?.path ?? "");
            const { filename, declaredType, bytes: size } = upload ?? {};
            const text = bytes.length > 100 ? bytes.length : bytes.toString();
            return created({ filename, declaredType, size, text, body, params }, "/x");
          },
        }),
        route({
          ...shape,
          path: "/broken",
          operationId: "broken",
          params: { type: "object" },
          handle: async () => {
            throw new TypeError("after the file was stored");
          },
        }),
      ],
    });
  });
  after(() => api.close());
  afterEach("leave no temporary file", async () => {
    await eventually(async () => (await temporaryFiles()).length === 0);
  });

  const post = (
    body: NonNullable<RequestInit["body"]>,
    more: { path?: string; type?: string } = {},
  ) =>
    fetch(`${api.url}/api${more.path ?? "/tickets/12/medias"}`, {
      method: "POST",
      body,
      headers: {
        authorization: "Bearer good",
        ...(more.type === undefined ? {} : { "content-type": more.type }),
      },
    });

  const formWith = (parts: [string, string | Blob, string?][]): FormData => {
    const form = new FormData();
    for (const [name, value, filename] of parts) {
      if (typeof value === "string") {
        form.append(name, value);
      } else {
        form.append(name, value, filename);
      }
    }
    return form;
  };

  const file = new Blob(["hello"], { type: "Text/Plain" });

  it("pass the file and the fields before and after it", async () => {
    const form = formWith([
      ["title", "Zoë"],
      ["file", file, "à côté.txt"],
      ["lat", "48.5"],
      ["hd", "1"],
    ]);
    const answer = await post(form);
    expect(answer.status).to.equal(201);
    expect(await answer.json()).to.deep.equal({
      filename: "à côté.txt",
      declaredType: "text/plain",
      size: 5,
      text: "hello",
      body: { title: "Zoë", lat: 48.5, hd: true },
      params: { ticketId: 12 },
    });
    expect(seen).to.have.length(1);
  });

  it("accept a file of the maximum size, and reject one more byte", async () => {
    const largest = new Blob([Buffer.alloc(maxBodyBytes)]);
    const answer = await post(formWith([["file", largest, "a"]]));
    expect(await answer.json()).to.include({ size: maxBodyBytes, text: maxBodyBytes });
    const refused = await post(formWith([["file", new Blob([largest, "x"]), "a"]]));
    expect(refused.status).to.equal(413);
    expect(await refused.json()).to.include({ code: 13 });
  });

  it("reject a body that is too long outside the file", async () => {
    const parts = Array.from({ length: 30 }, (_, at): [string, string] => [
      `f${at}`,
      "x".repeat(60_000),
    ]);
    const refused = await post(formWith([["file", file, "a"], ...parts]));
    expect(refused.status).to.equal(413);
  });

  const faults: [string, [string, string | Blob, string?][], number, string][] = [
    ["no file", [["title", "x"]], 9, "file"],
    ["a file as a field", [["file", "x"]], 9, "file"],
    ["a file in another part", [["picture", file, "a"]], 10, "picture"],
    [
      "two files",
      [
        ["file", file, "a"],
        ["file", file, "b"],
      ],
      10,
      "file",
    ],
    [
      "an unknown field",
      [
        ["file", file, "a"],
        ["color", "red"],
      ],
      10,
      "color",
    ],
    [
      "a field of another type",
      [
        ["file", file, "a"],
        ["lat", "north"],
      ],
      10,
      "lat",
    ],
    [
      "a field given twice",
      [
        ["file", file, "a"],
        ["lat", "1"],
        ["lat", "2"],
      ],
      10,
      "lat",
    ],
    [
      "a field that is too long",
      [
        ["file", file, "a"],
        ["title", "x".repeat(70_000)],
      ],
      10,
      "title",
    ],
    [
      "U+0000 in a field",
      [
        ["title", "a\u0000"],
        ["file", file, "a"],
      ],
      10,
      "title",
    ],
  ];
  for (const [name, parts, code, field] of faults) {
    it(`reject ${name}, and name it`, async () => {
      const answer = await post(formWith(parts));
      expect(answer.status).to.equal(400);
      const body = (await answer.json()) as { code: number; details: string };
      expect(body).to.include({ code, details: `Parameter ${field}` });
    });
  }

  it("reject more fields than any operation has", async () => {
    const parts = Array.from({ length: 101 }, (_, at): [string, string] => [`f${at}`, "x"]);
    const answer = await post(formWith([...parts, ["file", file, "a"]]));
    expect(await answer.json()).to.include({ status: 400, details: "Parameter body" });
  });

  for (const [name, body, type, status] of [
    ["JSON", "{}", "application/json", 415],
    ["another multipart type", "--x--", "multipart/mixed; boundary=x", 415],
    ["no boundary", "--x--", "multipart/form-data", 400],
    [
      "an end in the middle",
      '--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nab',
      "multipart/form-data; boundary=x",
      400,
    ],
    ["text that is no form", "hello", "multipart/form-data; boundary=x", 400],
    [
      "bytes that are not UTF-8",
      Buffer.from(
        '--x\r\nContent-Disposition: form-data; name="title"\r\n\r\n\xff\r\n--x--\r\n',
        "latin1",
      ),
      "multipart/form-data; boundary=x",
      400,
    ],
  ] as const) {
    it(`reject ${name} with ${status}`, async () => {
      const answer = await post(body, { type });
      expect(answer.status).to.equal(status);
      expect(answer.headers.get("content-type")).to.equal("application/problem+json");
    });
  }

  it("delete the file if the handler fails", async () => {
    const answer = await post(formWith([["file", file, "a"]]), { path: "/broken" });
    expect(answer.status).to.equal(500);
  });

  it("delete the file if the client disconnects", async () => {
    const client = send(`${api.url}/api/tickets/12/medias`, {
      method: "POST",
      headers: {
        authorization: "Bearer good",
        "content-type": "multipart/form-data; boundary=x",
        "content-length": "100000",
      },
    });
    client.on("error", () => undefined);
    client.write('--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nabc');
    await eventually(async () => (await temporaryFiles()).length === 1);
    client.destroy();
    await eventually(async () => (await temporaryFiles()).length === 0);
  });

  it("are read only after authentication", async () => {
    const answer = await fetch(`${api.url}/api/tickets/12/medias`, {
      method: "POST",
      body: formWith([["file", file, "a"]]),
    });
    expect(answer.status).to.equal(401);
  });

  it("reduce file names to their base name, as one line", () => {
    expect(cleanFilename("../../etc/passwd")).to.equal("passwd");
    expect(cleanFilename("C:\\temp\\a\r\nb.png")).to.equal("ab.png");
    expect(cleanFilename("a %22b%22%0D%0A %20.png")).to.equal('a "b" %20.png');
    expect(cleanFilename("..")).to.equal("file");
    expect(cleanFilename(undefined)).to.equal("file");
    expect(cleanFilename("😀".repeat(300))).to.equal("😀".repeat(255));
  });
});
