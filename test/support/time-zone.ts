/** Runs the tests of a suite in a time zone. */
export function useTimeZone(name: string): void {
  const usual = process.env["TZ"];
  before(`go to ${name}`, () => {
    process.env["TZ"] = name;
  });
  after(() => {
    if (usual === undefined) {
      delete process.env["TZ"];
    } else {
      process.env["TZ"] = usual;
    }
  });
}
