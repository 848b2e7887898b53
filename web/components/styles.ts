/** Global styles in cascade order; component styles come after these. */
import "@mantine/core/styles.css";
import "@mantine/notifications/styles.css";
import "../shared/tokens.css";
import "./console.css";
