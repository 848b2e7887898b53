/** What a browser says of itself → the device columns of a statistics row. Pure. */
import Bowser from "bowser";

export type Device = Readonly<{ device: string; system: string; browser: string }>;

/** The same for many rows: few different browsers have visited many tickets. */
export function createDeviceParser(): (userAgent: string | null) => Device {
  const known = new Map<string | null, Device>();
  return (userAgent) => {
    const device = known.get(userAgent) ?? parseDevice(userAgent);
    known.set(userAgent, device);
    return device;
  };
}

const kinds: Readonly<Record<string, string>> = {
  mobile: "Smartphone",
  tablet: "Tablette",
  desktop: "Ordinateur",
};

const unknown: Device = { device: "", system: "", browser: "" };

export function parseDevice(userAgent: string | null): Device {
  if (userAgent === null || userAgent === "") {
    return unknown;
  }
  const { platform, os, browser } = Bowser.parse(userAgent);
  const kind = kinds[platform.type ?? ""];
  return {
    device: kind === undefined ? "" : joined(kind, platform.model ?? androidModel(userAgent)),
    system: joined(os.name, versionOf(os)),
    browser: joined(browser.name, browser.version?.split(".")[0]),
  };
}

function joined(...words: readonly (string | undefined)[]): string {
  return words.filter((word) => word !== undefined && word !== "").join(" ");
}

/** What browsers put there where they keep the model to themselves. */
const noModels = new Set(["K", "Mobile", "Tablet"]);

/** Of Android phones the parser does not tell the model. */
function androidModel(userAgent: string): string | undefined {
  const model = /Android [\d.]+; (?<model>[^;)]+?)(?: Build\/[^;)]*)?[;)]/u.exec(userAgent)
    ?.groups?.["model"];
  return model === undefined || noModels.has(model) ? undefined : model;
}

/** Windows counts its versions otherwise than it names them. */
function versionOf({ version, versionName }: Bowser.Parser.OSDetails): string | undefined {
  return version?.startsWith("NT") === true ? versionName : version;
}
