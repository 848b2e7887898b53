import { expect } from "chai";
import { fileHeaders } from "../../src/http/file-answers.ts";

const file = { hash: "h", state: "completed", filename: "a.txt", type: "text/plain", bytes: 10 };

function disposition(filename: string, type = "text/plain") {
  return fileHeaders({ ...file, filename, type })["Content-Disposition"];
}

describe("headers of a file answer", () => {
  it("display pictures and videos inline and download everything else", () => {
    expect(disposition("a.png", "image/png")).to.match(/^inline;/u);
    expect(disposition("a.mp4", "video/mp4")).to.match(/^inline;/u);
    expect(disposition("a.pdf", "application/pdf")).to.match(/^attachment;/u);
    expect(disposition("a.html", "text/html")).to.match(/^attachment;/u);
  });

  it("escape any file name", () => {
    expect(disposition(`"; x="\\é'(1)*%.txt`)).to.equal(
      `attachment; filename="_; x=___'(1)*_.txt"; ` +
        `filename*=UTF-8''%22%3B%20x%3D%22%5C%C3%A9%27%281%29%2A%25.txt`,
    );
  });

  it("contain the length and the position of a range", () => {
    const headers = fileHeaders(file, { start: 2, end: 4 });
    expect(headers["Content-Length"]).to.equal("3");
    expect(headers).to.include({ "Content-Range": "bytes 2-4/10" });
    expect(fileHeaders(file)).not.to.have.property("Content-Range");
  });

  it("have a different ETag for different bytes", () => {
    const etag = fileHeaders(file).ETag;
    expect(fileHeaders({ ...file, bytes: 11 }).ETag).not.to.equal(etag);
    expect(fileHeaders({ ...file, state: "uncompleted" }).ETag).not.to.equal(etag);
  });
});
