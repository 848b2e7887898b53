import { createTheme, type CSSVariablesResolver, type MantineColorsTuple } from "@mantine/core";

const accent: MantineColorsTuple = [
  ...(["#eef3ff", "#dbe5fb", "#b5c8f4", "#86a8ff", "#6b92f2", "#4573e4"] as const),
  ...(["#2457d6", "#1c49bb", "#163d9f", "#102f7f"] as const),
];

/** Dark enough for sufficient contrast as text colour. */
const red: MantineColorsTuple = [
  ...(["#fff0ee", "#fce0dd", "#f5bcb7", "#ff8c82", "#e0564c", "#c93a30"] as const),
  ...(["#b3261e", "#9c1f18", "#861912", "#6f130d"] as const),
];

const green: MantineColorsTuple = [
  ...(["#eaf7f0", "#d3eee0", "#a9dcc3", "#5dc793", "#3aa874", "#238f5f"] as const),
  ...(["#18794e", "#126a43", "#0f5c3a", "#0b4c2f"] as const),
];

/** Mantine's yellow is illegible as text colour. */
const yellow: MantineColorsTuple = [
  ...(["#fdf6e6", "#fdf1d8", "#f5d9a0", "#e0ad55", "#c48a24", "#a87010"] as const),
  ...(["#8a5a00", "#744b00", "#5f3e00", "#4a3000"] as const),
];

const plainHead = { header: { role: "presentation" } };

/** Dense and calm, for users who watch it all day. */
export const theme = createTheme({
  primaryColor: "accent",
  primaryShade: { light: 6, dark: 6 },
  colors: { accent, red, green, yellow },
  autoContrast: true,
  fontFamily: "var(--sans)",
  fontFamilyMonospace: "var(--mono)",
  fontSizes: { xs: "0.75rem", sm: "0.8125rem", md: "0.875rem", lg: "1rem", xl: "1.125rem" },
  headings: {
    fontWeight: "600",
    sizes: {
      h1: { fontSize: "1.25rem", lineHeight: "1.35" },
      h2: { fontSize: "1.0625rem", lineHeight: "1.4" },
      h3: { fontSize: "0.9375rem", lineHeight: "1.45" },
    },
  },
  defaultRadius: "sm",
  cursorType: "pointer",
  respectReducedMotion: true,
  components: {
    Button: { defaultProps: { size: "sm" } },
    TextInput: { defaultProps: { size: "sm" } },
    Select: { defaultProps: { size: "sm", allowDeselect: false } },
    Tooltip: {
      defaultProps: {
        withArrow: true,
        openDelay: 200,
        events: { hover: true, focus: true, touch: true },
      },
    },
    // If hidden while its target is detached for one frame, for example on resize, it would lose
    // the focus and no longer receive Escape.
    Popover: { defaultProps: { hideDetached: false } },
    // Their headers must not be banner landmarks.
    Drawer: { defaultProps: { position: "right", padding: "md", attributes: plainHead } },
    Modal: { defaultProps: { centered: true, attributes: plainHead } },
  },
});

/** Maps Mantine's surfaces to the design tokens that plain pages use as well. */
export const cssVariables: CSSVariablesResolver = () => {
  const shared = {
    "--mantine-color-body": "var(--surface)",
    "--mantine-color-text": "var(--text)",
    "--mantine-color-dimmed": "var(--muted)",
    "--mantine-color-default-border": "var(--line)",
    "--mantine-color-default": "var(--surface)",
    "--mantine-color-default-hover": "var(--sunken)",
    "--mantine-color-anchor": "var(--accent)",
    "--mantine-color-placeholder": "var(--muted)",
    "--mantine-color-error": "var(--bad)",
    "--mantine-color-disabled": "var(--sunken)",
    "--mantine-color-disabled-color": "var(--muted)",
    "--mantine-color-disabled-border": "var(--line)",
  };
  // Dark mode colours of fields and menus; Mantine's greys do not match the bluish cards.
  const fields = {
    "--mantine-color-dark-6": "var(--surface)",
    "--mantine-color-dark-4": "var(--line-strong)",
  };
  return { variables: {}, light: shared, dark: { ...shared, ...fields } };
};
